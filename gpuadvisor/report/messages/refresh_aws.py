"""Texts of `catalog refresh aws`."""

from __future__ import annotations

EN: dict[str, str] = {
    # -- why a task could not be done
    "refresh_aws.bad_credentials": "{region}: the credentials could not be had from where the "
    "AWS configuration points; sign in again",
    "refresh_aws.endless": "{region}: the answer has the same page again and again",
    "refresh_aws.expired": "{region}: the credentials have expired or are not valid ({code})",
    "refresh_aws.forbidden": "{region}: the account may not do this ({code}); see "
    "gpuadvisor catalog refresh aws --show-permissions",
    "refresh_aws.garbled": "{region}: the answer broke off or is damaged ({code})",
    "refresh_aws.no_credentials": "{region}: no complete credentials",
    "refresh_aws.no_page": "{region}: the pricing pages do not list this region",
    "refresh_aws.no_savings_plans": "{region}: no Savings Plans file of this region is published",
    "refresh_aws.not_opted_in": "{region}: the region refuses this account ({code}): it must be "
    "enabled first, or the credentials are not valid",
    "refresh_aws.nothing_found": "{what} ({region}): no price of a known type in it",
    "refresh_aws.refused": "{region}: the call failed ({code})",
    "refresh_aws.strange": "{what} ({region}): the answer is not of the known form",
    "refresh_aws.throttled": "{region}: too many requests, even after waiting ({code})",
    "refresh_aws.timed_out": "{region}: no answer in time",
    "refresh_aws.unreachable": "{region}: no connection",
    # -- what to say beside the result
    "refresh_aws.keyless": "without an AWS account {parts} stay as they were: no public file "
    "has them",
    "refresh_aws.not_launched": "{region}: the price list prints {type}, which no zone there is "
    "known to launch; left out",
    "refresh_aws.offers_unknown": "{region}: prices may include types that cannot be launched "
    "there, as the list of offers could not be read ({why})",
    "refresh_aws.policy": "IAM policy of a refresh: reading calls alone; leave out the statements "
    "of parts that you do not refresh",
    # -- wrong requests
    "refresh_aws.needs_account": "{parts}: only an AWS account can be asked for this, and no "
    "credentials were found or wanted (pip install 'gpuadvisor[aws]', then configure the AWS CLI "
    "or set AWS_PROFILE)",
    "refresh_aws.no_such_part": "AWS sells none of these; choose from {parts}",
}
