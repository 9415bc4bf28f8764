"""Data sets whose licences let them come with the program."""

from __future__ import annotations

from augury.engine.catalog.data_cards import DataFile, DatasetCard

_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
_BANGLA = "https://raw.githubusercontent.com/prabhuomkar/CMATERdb/master/datasets/bangla-numerals"

SHIPPED: dict[str, DatasetCard] = {
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
                4_551,
                "6f608b71a7317216319b4d27b4d9bc84e6abd734eda7872b71a458569e2656c0",
                (f"{_UCI}/iris/iris.data",),
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
                264_426,
                "76c3f809815c17c07212622f776311faeb31e87610d52c26d87d6e361b169836",
                (f"{_UCI}/wine-quality/winequality-white.csv",),
            ),
        ),
        licence="CC BY 4.0",
        source="P. Cortez and others, Wine Quality (white). UCI, data set 186",
        doi="10.24432/C56S3T",
        note="Labels are the grades as given: 3 to 9 of 0 to 10 occur.",
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
                102_000,
                "2752b044394958ab6dd193a0b56ca0f0b3a2d8bc7cb8c008e35a5e84bbec02f8",
                (f"{_UCI}/statlog/german/german.data-numeric",),
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
                489_289,
                "502957392649eecad013ac425b54fecc6d06dbc06bc647a46b0cfc6b96e2c130",
                (f"{_BANGLA}/training-images.npz",),
            ),
            DataFile(
                "testing-images.npz",
                98_295,
                "d1c9780ba5decc135175a021bd29961cd7316db009f428d8c04b84ba36a6d67a",
                (f"{_BANGLA}/testing-images.npz",),
            ),
        ),
        licence="Apache-2.0",
        source="CMATERdb, handwritten Bangla numerals, CMATER, Jadavpur University",
        doi="10.1016/j.asoc.2011.11.030",
    ),
}
