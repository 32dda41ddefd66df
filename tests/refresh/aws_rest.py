"""AWS on loopback: the three protocols that boto3 speaks here, answered with recorded shapes.

EC2 is form in, XML out, with the element names of botocore's service model; the price list is JSON
1.1, told by `X-Amz-Target`; Savings Plans is REST with JSON. Public files are plain paths.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import Any
from urllib.parse import parse_qsl
from xml.sax.saxutils import escape

import pytest

from gpuadvisor.catalog.store import load_catalog
from gpuadvisor.refresh import aws_account, aws_feeds
from gpuadvisor.refresh.interface import Context, Fetched

from .server import Reply, Request, Server, http, reply

TODAY = date(2026, 11, 30)
CATALOG = load_catalog()
SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY"
ACCOUNT_ID = "123456789012"


@contextlib.contextmanager
def signed_in() -> Iterator[Server]:
    """A server that boto3 takes for AWS, with credentials for it, and no other way to any."""
    pytest.importorskip("boto3")
    patch = pytest.MonkeyPatch()
    for name in [n for n in os.environ if n.startswith("AWS_")]:
        patch.delenv(name)
    with Server() as server, tempfile.TemporaryDirectory() as nowhere:
        patch.setenv("AWS_ENDPOINT_URL", server.address)
        patch.setenv("AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE")
        patch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
        patch.setenv("AWS_CONFIG_FILE", os.path.join(nowhere, "config"))
        patch.setenv("AWS_SHARED_CREDENTIALS_FILE", os.path.join(nowhere, "credentials"))
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        aws_account.forget()
        yield server
        patch.undo()
        aws_account.forget()


def cells(found: Fetched) -> dict[str, str]:
    """`type/option/term/class/payment` -> price, of one region."""
    return {
        "/".join(part for part in (p.type, *p[2:6]) if part): f"{p.price:f}" for p in found.prices
    }


Answers = dict[str, Callable[[Mapping[str, str]], Any]]


def context(server: Server | None = None, **limits: Any) -> Context:
    """A context whose public files are all at `server`."""
    ways = dict.fromkeys(aws_feeds.HOSTS, server.address) if server else {}
    return Context(TODAY, CATALOG, http(**limits), ways, lambda _: None)


def xml(action: str, **fields: Any) -> Reply:
    """An EC2 answer. Lists become `<item>` elements; names as on the wire (`spotPrice`)."""
    body = "".join(_element(name, value) for name, value in fields.items())
    return _xml(f"<{action}Response><requestId>r</requestId>{body}</{action}Response>")


def refusal(code: str, text: str = "", status: int = 400) -> Reply:
    """An EC2 error."""
    error = f"<Error><Code>{code}</Code><Message>{escape(text)}</Message></Error>"
    return _xml(f"<Response><Errors>{error}</Errors><RequestID>r</RequestID></Response>", status)


def _xml(body: str, status: int = 200) -> Reply:
    return reply(f'<?xml version="1.0"?>{body}', status, headers={"Content-Type": "text/xml"})


def _element(name: str, value: Any) -> str:
    if isinstance(value, Mapping):
        inner = "".join(_element(k, v) for k, v in value.items())
    elif isinstance(value, list):
        inner = "".join(_element("item", v) for v in value)
    else:
        inner = escape(str(value).lower() if isinstance(value, bool) else str(value))
    return f"<{name}>{inner}</{name}>"


def aws(answers: Answers) -> Callable[[Request], Reply]:
    """A rule for `/` and what lies beneath: by EC2 action, JSON target or REST path.

    An answer takes the parameters (of EC2 the form with its `Region`, of the others the JSON).
    """

    def answer(request: Request) -> Reply:
        target = request.headers.get("X-Amz-Target", "").rpartition(".")[2]
        if target:
            action, asked = target, request.json()
        elif request.path != "/":
            action, asked = request.path[1:], request.json()
        else:
            asked = dict(parse_qsl(request.body.decode()))
            # Credential=AKIA…/20261130/us-east-1/ec2/aws4_request
            asked["Region"] = request.headers.get("Authorization", "////").split("/")[2]
            action = asked["Action"]
        if action not in answers:
            return refusal("UnauthorizedOperation", f"no answer to {action}")
        found = answers[action](asked)
        return found if isinstance(found, Reply) else reply(found)

    return answer


def price_item(
    name: str,
    terms: Mapping[str, Any],
    region: str = "us-east-1",
    family: str = "Compute Instance",
    **attributes: str,
) -> str:
    """One entry of `PriceList`: a JSON text, as boto3 hands it out."""
    said = {
        "instanceType": name,
        "operatingSystem": "Linux",
        "licenseModel": "No License required",
        "preInstalledSw": "NA",
        "capacitystatus": "Used",
        "tenancy": "Shared",
        "operation": "RunInstances",
        "marketoption": "OnDemand",
        "regionCode": region,
        "usagetype": f"BoxUsage:{name}",
        "gpu": "8",
        **attributes,
    }
    return json.dumps(
        {
            "product": {"productFamily": family, "attributes": said, "sku": "S"},
            "serviceCode": "AmazonEC2",
            "terms": terms,
            "version": "20261127174521",
            "publicationDate": "2026-11-27T17:45:21Z",
        }
    )


def on_demand(price: str, currency: str = "USD", unit: str = "Hrs") -> dict[str, Any]:
    """`terms` with one on-demand price."""
    return {"OnDemand": {"S.JRTCKXETXF": _term({unit: price}, currency)}}


def reserved(
    lease: str, cls: str, purchase: str, hourly: str | None = None, fee: str | None = None
) -> dict[str, Any]:
    """One reserved term: an hourly rate and a fee, either of which may be absent."""
    units = {"Hrs": hourly, "Quantity": fee}
    return _term({unit: price for unit, price in units.items() if price is not None}) | {
        "termAttributes": {
            "LeaseContractLength": lease,
            "OfferingClass": cls,
            "PurchaseOption": purchase,
        }
    }


def _term(units: Mapping[str, str], currency: str = "USD") -> dict[str, Any]:
    return {
        "priceDimensions": {
            f"S.T.{unit}": {"unit": unit, "pricePerUnit": {currency: price}}
            for unit, price in units.items()
        },
        "termAttributes": {},
    }


# -- public files -----------------------------------------------------------------------------

PRICE_COLUMNS = (
    "SKU", "OfferTermCode", "RateCode", "TermType", "PriceDescription", "EffectiveDate",
    "StartingRange", "EndingRange", "Unit", "PricePerUnit", "Currency", "RelatedTo",
    "LeaseContractLength", "PurchaseOption", "OfferingClass", "Product Family", "serviceCode",
    "Location", "Location Type", "Instance Type", "Current Generation", "Instance Family", "vCPU",
    "Tenancy", "Operating System", "License Model", "usageType", "operation", "CapacityStatus",
    "GPU", "MarketOption", "Pre Installed S/W", "Region Code", "serviceName",
)  # fmt: skip
PLAN_COLUMNS = (
    "SKU", "RateCode", "Unit", "EffectiveDate", "DiscountedRate", "Currency", "DiscountedSKU",
    "DiscountedServiceCode", "DiscountedUsageType", "DiscountedOperation", "PurchaseOption",
    "LeaseContractLength", "LeaseContractLengthUnit", "ServiceCode", "UsageType", "Operation",
    "Description", "Instance Family", "Location", "Location Type", "Granularity",
    "Product Family", "DiscountedRegionCode", "DiscountedInstanceType",
)  # fmt: skip


def price_row(name: str, price: str, region: str = "us-east-1", **said: str) -> dict[str, str]:
    """A row of the price list's CSV; `said` are columns without their spaces."""
    row = {
        "SKU": "S",
        "TermType": "OnDemand",
        "PriceDescription": f"${price} per On Demand Linux {name}, Instance Hour",
        "Unit": "Hrs",
        "PricePerUnit": price,
        "Currency": "USD",
        "Product Family": "Compute Instance",
        "serviceCode": "AmazonEC2",
        "Location Type": "AWS Region",
        "Instance Type": name,
        "Instance Family": "GPU instance",
        "Tenancy": "Shared",
        "Operating System": "Linux",
        "License Model": "No License required",
        "usageType": f"BoxUsage:{name}",
        "operation": "RunInstances",
        "CapacityStatus": "Used",
        "GPU": "8",
        "MarketOption": "OnDemand",
        "Pre Installed S/W": "NA",
        "Region Code": region,
    }
    spelled = {column.replace(" ", "").replace("/", ""): column for column in PRICE_COLUMNS}
    return row | {spelled[column]: value for column, value in said.items()}


def term_rows(
    name: str,
    lease: str,
    cls: str,
    purchase: str,
    hourly: str | None = None,
    fee: str | None = None,
    region: str = "us-east-1",
) -> list[dict[str, str]]:
    """The rows of one reserved term."""
    term = {
        "TermType": "Reserved",
        "LeaseContractLength": lease,
        "OfferingClass": cls,
        "PurchaseOption": purchase,
    }
    rows = []
    if fee is not None:
        rows.append(price_row(name, fee, region, Unit="Quantity", **term))
    if hourly is not None:
        rows.append(price_row(name, hourly, region, **term))
    return rows


def plan_row(
    usage: str,
    rate: str,
    product: str = "ComputeSavingsPlans",
    years: str = "1",
    payment: str = "No Upfront",
    region: str = "us-east-1",
    **said: str,
) -> dict[str, str]:
    """A row of a Savings Plans CSV; `said` are columns without their spaces."""
    row = {
        "SKU": "P",
        "RateCode": "P.S",
        "Unit": "Hrs",
        "EffectiveDate": "2026-11-01T00:00:00Z",
        "DiscountedRate": rate,
        "Currency": "USD",
        "DiscountedServiceCode": "AmazonEC2",
        "DiscountedUsageType": usage,
        "DiscountedOperation": "RunInstances",
        "PurchaseOption": payment,
        "LeaseContractLength": years,
        "LeaseContractLengthUnit": "year",
        "ServiceCode": "ComputeSavingsPlans",
        "Product Family": product,
        "DiscountedRegionCode": region,
        "DiscountedInstanceType": usage.partition(":")[2],
    }
    spelled = {column.replace(" ", ""): column for column in PLAN_COLUMNS}
    return row | {spelled[column]: value for column, value in said.items()}


def price_file(rows: Iterable[Mapping[str, str]], published: str = "2026-11-27") -> str:
    """A price list CSV: five lines of preamble, the columns, the rows; all in quotes."""
    return _file(PRICE_COLUMNS, rows, published, csv.QUOTE_ALL)


def plan_file(
    rows: Iterable[Mapping[str, str]], published: str = "2026-11-25", quoted: bool = True
) -> str:
    """A Savings Plans CSV of the same build."""
    quoting = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    return _file(PLAN_COLUMNS, rows, published, quoting)


def _file(
    columns: tuple[str, ...], rows: Iterable[Mapping[str, str]], published: str, quoting: Any
) -> str:
    out = io.StringIO()
    writer = csv.writer(out, quoting=quoting, lineterminator="\n")
    writer.writerow(["FormatVersion", "v1.0"])
    writer.writerow(["Disclaimer", "This pricing list is for informational purposes only."])
    writer.writerow(["Publication Date", f"{published}T17:45:21Z"])
    writer.writerow(["Version", "20261127174521"])
    writer.writerow(["OfferCode", "AmazonEC2"])
    writer.writerow(columns)
    for row in rows:
        writer.writerow([row.get(column, "") for column in columns])
    return out.getvalue()
