"""Add up an invoice: nested models and constraints go in, a model comes out."""

from decimal import ROUND_HALF_UP, Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from toolkit import tool

CENT = Decimal("0.01")


class Line(BaseModel):
    """One line of an invoice."""

    item: str = Field(min_length=1, description="What is sold.")
    quantity: int = Field(ge=1, description="How many of it.")
    price: Decimal = Field(ge=0, decimal_places=2, description="The price of one, before tax.")
    discount: Decimal = Field(
        default=Decimal(0), ge=0, le=100, description="Taken off, in percent."
    )


class Invoice(BaseModel):
    """What has to be paid; amounts are exact to the cent."""

    customer: str
    currency: str
    net: Decimal
    tax: Decimal
    total: Decimal


@tool
def invoice(
    customer: Annotated[str, Field(min_length=1)],
    lines: Annotated[list[Line], Field(min_length=1)],
    tax_rate: Annotated[Decimal, Field(ge=0, le=100)] = Decimal(20),
    currency: Literal["EUR", "GBP", "USD"] = "EUR",
) -> Invoice:
    """Add up the lines of an invoice, with discounts and tax.

    Args:
        customer: Who has to pay.
        lines: What was sold, at least one line.
        tax_rate: The tax on the net amount, in percent.
        currency: The currency of all prices.
    """
    net = sum((_amount(line) for line in lines), Decimal(0))
    tax = _cents(net * tax_rate / 100)
    return Invoice(customer=customer, currency=currency, net=net, tax=tax, total=net + tax)


def _amount(line: Line) -> Decimal:
    return _cents(line.quantity * line.price * (100 - line.discount) / 100)


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)
