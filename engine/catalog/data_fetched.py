"""Data sets that are too large to ship, or whose licences do not say that one may."""

from __future__ import annotations

from augury.engine.catalog.data_cards import Archive, DataFile, DatasetCard

_MNIST = (
    "https://storage.googleapis.com/cvdf-datasets/mnist/",
    "https://ossci-datasets.s3.amazonaws.com/mnist/",
    "http://yann.lecun.com/exdb/mnist/",
)
# Without TLS: the checksum is the protection.
_FASHION = (
    "http://fashion-mnist.s3-website.eu-central-1.amazonaws.com/",
    "https://github.com/zalandoresearch/fashion-mnist/raw/master/data/fashion/",
)
_EMNIST = Archive(
    "gzip.zip",
    561_753_746,
    "fb9bb67e33772a9cc0b895e4ecf36d2cf35be8b709693c3564cea2a019fcda8e",
    (
        "https://biometrics.nist.gov/cs_links/EMNIST/gzip.zip",
        "https://www.itl.nist.gov/iaui/vip/cs_links/EMNIST/gzip.zip",
    ),
    ranges=True,
)
# The files of the MNIST family, in the order of the tables below.
_PARTS = ("train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1")
_EMNIST_PARTS = ("train-images-idx3", "train-labels-idx1", "test-images-idx3", "test-labels-idx1")


def _gzipped(mirrors: tuple[str, ...], *facts: tuple[int, str]) -> tuple[DataFile, ...]:
    """The four files of an MNIST-like set from their sizes and checksums."""
    names = (f"{part}-ubyte.gz" for part in _PARTS)
    return tuple(
        DataFile(name, size, sha256, tuple(mirror + name for mirror in mirrors))
        for name, (size, sha256) in zip(names, facts, strict=True)
    )


def _emnist(kind: str, *facts: tuple[int, str]) -> tuple[DataFile, ...]:
    names = (f"emnist-{kind}-{part}-ubyte.gz" for part in _EMNIST_PARTS)
    return tuple(
        DataFile(name, size, sha256, member=f"gzip/{name}")
        for name, (size, sha256) in zip(names, facts, strict=True)
    )


def _batch(name: str, sha256: str) -> DataFile:
    return DataFile(f"{name}.bin", 30_730_000, sha256, member=f"cifar-10-batches-bin/{name}.bin")


FETCHED: dict[str, DatasetCard] = {
    "mnist": DatasetCard(
        input_dim=784,
        num_classes=10,
        num_train=60_000,
        num_test=10_000,
        kind="image",
        target="augury.engine.datasets.digits:read_mnist",
        files=_gzipped(
            _MNIST,
            (9_912_422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"),
            (28_881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"),
            (1_648_877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"),
            (4_542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"),
        ),
        licence="CC BY-SA 3.0",
        source="Y. LeCun, C. Cortes and C. J. C. Burges, The MNIST database of handwritten digits",
        bundled=False,
    ),
    "emnist/digits": DatasetCard(
        input_dim=784,
        num_classes=10,
        num_train=240_000,
        num_test=40_000,
        kind="image",
        target="augury.engine.datasets.digits:read_mnist",
        files=_emnist(
            "digits",
            (59_515_779, "f7c95004d14d81af89522e67d8f0c781dfb3bd544181c81bfe1eb6b41c35b726"),
            (113_859, "6638a6ff5fe2eefd9cca2471995b46c82986b8e4b2a70d2f5ce8e05d7edb319e"),
            (9_908_519, "20ebe43509264f7639d37c835a3f0b009e90b29e00a099a03101abe1644a3f63"),
            (19_960, "bad1834c45d5988e270b99d43b13edc3fd898f658ffbc2caf2846ef27f7b05b0"),
        ),
        licence="none stated",
        source="G. Cohen and others, EMNIST (digits), derived from NIST Special Database 19",
        doi="10.1109/IJCNN.2017.7966217",
        bundled=False,
        archive=_EMNIST,
        folder="emnist",
        note="Images are stored transposed, and stay so as in the published benchmark.",
    ),
    "emnist/letters": DatasetCard(
        input_dim=784,
        num_classes=37,
        num_train=88_800,
        num_test=14_800,
        kind="image",
        target="augury.engine.datasets.digits:read_mnist",
        files=_emnist(
            "letters",
            (30_804_864, "6288f418a917e007bf5fddb823a2dc7a5c6a35031401b93292a539cb12bd881f"),
            (79_283, "9759af91ea6bccdf07a6040fd085861f2ec88e37f7c3f5760f6feb57106fbe5c"),
            (5_039_157, "50f0e93d75b99b463e9760b8345866f22587fa2c2fba472730a5ba09c693412d"),
            (144, "924955c31fe7fd809b7303b5c0141282955f4b8390c74cdfd5d80435e0f4b4cb"),
        ),
        licence="none stated",
        source="G. Cohen and others, EMNIST (letters), derived from NIST Special Database 19",
        doi="10.1109/IJCNN.2017.7966217",
        bundled=False,
        archive=_EMNIST,
        folder="emnist",
        all_test=20_800,
        note=(
            "The published test set is the first 14,800 of 20,800 rows of a file sorted by class: "
            "letters A to R, half of S, none after. --set real.test_rows=all scores every row. "
            "Labels are 1 to 26 of 37 classes; images are stored transposed."
        ),
    ),
    "fashion_mnist": DatasetCard(
        input_dim=784,
        num_classes=10,
        num_train=60_000,
        num_test=10_000,
        kind="image",
        target="augury.engine.datasets.digits:read_mnist",
        files=_gzipped(
            _FASHION,
            (26_421_880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"),
            (29_515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"),
            (4_422_102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"),
            (5_148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"),
        ),
        licence="MIT",
        source="H. Xiao, K. Rasul and R. Vollgraf, Fashion-MNIST, Zalando Research",
        doi="10.48550/arXiv.1708.07747",
        bundled=False,
    ),
    "mnist_corrupted/shot_noise": DatasetCard(
        input_dim=784,
        num_classes=10,
        num_train=60_000,
        num_test=10_000,
        kind="image",
        target="augury.engine.datasets.digits:read_corrupted",
        files=tuple(
            DataFile(name, 0, "", member=f"mnist_c/shot_noise/{name}")
            for name in (
                "train_images.npy", "train_labels.npy", "test_images.npy", "test_labels.npy",
            )
        ),
        licence="CC BY 4.0",
        source="N. Mu and J. Gilmer, MNIST-C (shot noise)",
        doi="10.5281/zenodo.3239543",
        bundled=False,
        archive=Archive(
            "mnist_c.zip",
            246_661_575,
            "af9ee8c6a815870c7fdde5af84c7bf8db0bcfa1f41056db83871037fba70e493",
            ("https://zenodo.org/record/3239543/files/mnist_c.zip",),
        ),
        folder="mnist_corrupted",
    ),
    "cifar10": DatasetCard(
        input_dim=3_072,
        num_classes=10,
        num_train=50_000,
        num_test=10_000,
        kind="image",
        target="augury.engine.datasets.images:read_cifar10",
        files=(
            _batch(
                "data_batch_1", "cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5"
            ),
            _batch(
                "data_batch_2", "a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed"
            ),
            _batch(
                "data_batch_3", "bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67"
            ),
            _batch(
                "data_batch_4", "014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48"
            ),
            _batch(
                "data_batch_5", "755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add"
            ),
            _batch(
                "test_batch", "8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b"
            ),
        ),
        licence="none stated",
        source="A. Krizhevsky, Learning multiple layers of features from tiny images, 2009",
        bundled=False,
        archive=Archive(
            "cifar-10-binary.tar.gz",
            170_052_171,
            "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd",
            ("https://www.cs.toronto.edu/~kriz/cifar-10-binary.tar.gz",),
        ),
    ),
}  # fmt: skip
