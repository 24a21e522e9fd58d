"""A price an hour over tokens a second is a price a token; over tokens it still is one an hour."""

from derive import Derivation, quantity

price = quantity("price", "price of the devices", "USD/h")
made = quantity("made", "tokens made", "token")

cost = Derivation(
    "c",
    "Cost of a served token",
    unit="USD/token",
    start=price / made,
)
