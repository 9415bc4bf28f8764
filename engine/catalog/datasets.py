"""Data-set cards: what each set is, where it is from, and what its bytes must be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class DataFile:
    """One file under its canonical name; nothing is read from other bytes than these."""

    name: str
    sha256: str
    url: str


@dataclass(frozen=True, slots=True)
class DatasetCard:
    """One data set in the published record order and split."""

    input_dim: int
    num_classes: int  # labels are below it; not every one need occur
    num_train: int
    num_test: int
    kind: Literal["structured", "image"]
    target: str  # "module:function" that turns the files' bytes into records
    files: tuple[DataFile, ...]
    licence: str
    source: str
    doi: str = ""
    bundled: bool = True  # lies in assets/data; otherwise where AUGURY_DATA points


_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
_BANGLA = "https://raw.githubusercontent.com/prabhuomkar/CMATERdb/master/datasets/bangla-numerals"

_MNIST = "https://storage.googleapis.com/cvdf-datasets/mnist"
_FASHION = "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com"  # the checksum protects it
# Members of one archive.
_CIFAR = "https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz#cifar-10-batches-bin"

# In the order in which sweeps go through them.
DATASETS: dict[str, DatasetCard] = {
    "iris": DatasetCard(
        input_dim=4,
        num_classes=3,
        num_train=120,
        num_test=30,
        kind="structured",
        target="augury.engine.datasets.tables:read_iris",
        files=(
            DataFile(
                "iris.data",
                "6f608b71a7317216319b4d27b4d9bc84e6abd734eda7872b71a458569e2656c0",
                f"{_UCI}/iris/iris.data",
            ),
        ),
        licence="CC BY 4.0",
        source="R. A. Fisher, Iris. UCI Machine Learning Repository, data set 53",
        doi="10.24432/C56C76",
    ),
    "wine_quality": DatasetCard(
        input_dim=11,
        num_classes=11,
        num_train=3_918,
        num_test=980,
        kind="structured",
        target="augury.engine.datasets.tables:read_wine",
        files=(
            DataFile(
                "winequality-white.csv",
                "76c3f809815c17c07212622f776311faeb31e87610d52c26d87d6e361b169836",
                f"{_UCI}/wine-quality/winequality-white.csv",
            ),
        ),
        licence="CC BY 4.0",
        source="P. Cortez and others, Wine Quality (white). UCI, data set 186",
        doi="10.24432/C56S3T",
    ),
    "german_credit_numeric": DatasetCard(
        input_dim=24,
        num_classes=2,
        num_train=800,
        num_test=200,
        kind="structured",
        target="augury.engine.datasets.tables:read_german",
        files=(
            DataFile(
                "german.data-numeric",
                "2752b044394958ab6dd193a0b56ca0f0b3a2d8bc7cb8c008e35a5e84bbec02f8",
                f"{_UCI}/statlog/german/german.data-numeric",
            ),
        ),
        licence="CC BY 4.0",
        source="H. Hofmann, Statlog (German Credit Data). UCI, data set 144",
        doi="10.24432/C5NC77",
    ),
    "cmaterdb": DatasetCard(
        input_dim=3_072,
        num_classes=10,
        num_train=5_000,
        num_test=1_000,
        kind="image",
        target="augury.engine.datasets.images:read_numerals",
        files=(
            DataFile(
                "training-images.npz",
                "502957392649eecad013ac425b54fecc6d06dbc06bc647a46b0cfc6b96e2c130",
                f"{_BANGLA}/training-images.npz",
            ),
            DataFile(
                "testing-images.npz",
                "d1c9780ba5decc135175a021bd29961cd7316db009f428d8c04b84ba36a6d67a",
                f"{_BANGLA}/testing-images.npz",
            ),
        ),
        licence="Apache-2.0",
        source="CMATERdb, handwritten Bangla numerals, CMATER, Jadavpur University",
        doi="10.1016/j.asoc.2011.11.030",
    ),
    "mnist": DatasetCard(
        input_dim=784,
        num_classes=10,
        num_train=60_000,
        num_test=10_000,
        kind="image",
        target="augury.engine.datasets.images:read_idx",
        files=(
            DataFile(
                "train-images-idx3-ubyte.gz",
                "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609",
                f"{_MNIST}/train-images-idx3-ubyte.gz",
            ),
            DataFile(
                "train-labels-idx1-ubyte.gz",
                "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c",
                f"{_MNIST}/train-labels-idx1-ubyte.gz",
            ),
            DataFile(
                "t10k-images-idx3-ubyte.gz",
                "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6",
                f"{_MNIST}/t10k-images-idx3-ubyte.gz",
            ),
            DataFile(
                "t10k-labels-idx1-ubyte.gz",
                "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6",
                f"{_MNIST}/t10k-labels-idx1-ubyte.gz",
            ),
        ),
        licence="CC BY-SA 3.0",
        source="Y. LeCun, C. Cortes, C. Burges, MNIST handwritten digits",
        bundled=False,
    ),
    "fashion_mnist": DatasetCard(
        input_dim=784,
        num_classes=10,
        num_train=60_000,
        num_test=10_000,
        kind="image",
        target="augury.engine.datasets.images:read_idx",
        files=(
            DataFile(
                "train-images-idx3-ubyte.gz",
                "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84",
                f"{_FASHION}/train-images-idx3-ubyte.gz",
            ),
            DataFile(
                "train-labels-idx1-ubyte.gz",
                "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845",
                f"{_FASHION}/train-labels-idx1-ubyte.gz",
            ),
            DataFile(
                "t10k-images-idx3-ubyte.gz",
                "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073",
                f"{_FASHION}/t10k-images-idx3-ubyte.gz",
            ),
            DataFile(
                "t10k-labels-idx1-ubyte.gz",
                "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5",
                f"{_FASHION}/t10k-labels-idx1-ubyte.gz",
            ),
        ),
        licence="MIT",
        source="H. Xiao, K. Rasul, R. Vollgraf, Fashion-MNIST, arXiv:1708.07747",
        bundled=False,
    ),
    "cifar10": DatasetCard(
        input_dim=3_072,
        num_classes=10,
        num_train=50_000,
        num_test=10_000,
        kind="image",
        target="augury.engine.datasets.images:read_cifar",
        files=(
            DataFile(
                "data_batch_1.bin",
                "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5",
                f"{_CIFAR}/data_batch_1.bin",
            ),
            DataFile(
                "data_batch_2.bin",
                "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed",
                f"{_CIFAR}/data_batch_2.bin",
            ),
            DataFile(
                "data_batch_3.bin",
                "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67",
                f"{_CIFAR}/data_batch_3.bin",
            ),
            DataFile(
                "data_batch_4.bin",
                "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48",
                f"{_CIFAR}/data_batch_4.bin",
            ),
            DataFile(
                "data_batch_5.bin",
                "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add",
                f"{_CIFAR}/data_batch_5.bin",
            ),
            DataFile(
                "test_batch.bin",
                "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b",
                f"{_CIFAR}/test_batch.bin",
            ),
        ),
        licence="none stated",
        source="A. Krizhevsky, Learning Multiple Layers of Features from Tiny Images, 2009",
        bundled=False,
    ),
}

# CIFAR-10-C as published: one archive, read from as it is.
CIFAR10_C = DataFile(
    "CIFAR-10-C.tar",
    "c72763e101c723b7c507b96205f7e938912a5d587376173b825850cf3cb876a7",
    "https://zenodo.org/record/2535967/files/CIFAR-10-C.tar",
)
