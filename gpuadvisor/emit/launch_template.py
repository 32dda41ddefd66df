"""AWS without Terraform: a CloudFormation template of a launch template and its group.

A launch template alone rents nothing, so nobody could check its cost; with the group that uses
it the file can be created and read as a whole.
"""

from __future__ import annotations

from typing import Any

from gpuadvisor.catalog.message import message
from gpuadvisor.catalog.model import CAPACITY_BLOCK, SPOT
from gpuadvisor.emit.boot import BUCKET, boot_script, cloud_config
from gpuadvisor.emit.comments import Say, one_line
from gpuadvisor.emit.fabric import EFA_CARDS, FIRST_WITHOUT
from gpuadvisor.emit.heading import opening
from gpuadvisor.emit.images import aws_image
from gpuadvisor.emit.interface import Plan, provided
from gpuadvisor.emit.policy import ASSUME, KEEP_DAYS, bucket_statements
from gpuadvisor.emit.terraform_aws import TERMS, fill
from gpuadvisor.emit.yamltext import documents

FILE = "launch-template.yaml"
_GROUP = {"Ref": "SecurityGroup"}
_PARAMETERS = {
    "vpc_id": ("VpcId", "AWS::EC2::VPC::Id"),
    "subnet_ids": ("SubnetIds", "List<AWS::EC2::Subnet::Id>"),
    "image_id": ("ImageId", "AWS::EC2::Image::Id"),
    "capacity_reservation_id": ("CapacityReservationId", "String"),
}
"""Terraform's variables as this form calls and types them."""


def text(plan: Plan, say: Say, file: str = FILE) -> str:
    """The template; RefusedError for a cloud other than AWS."""
    provided(plan, "launch-template", ["aws"], TERMS)
    blanks = [(_PARAMETERS[name][0], what) for name, what in fill(plan)]
    note = message("emit.stack_region", region=plan.region)
    head = opening(plan, [file], say, blanks, [note], ["--region", plan.region])
    return documents(head, [_template(plan, say)])


def _template(plan: Plan, say: Say) -> dict[str, Any]:
    resources: dict[str, Any] = {}
    if plan.checkpoint is not None:
        resources["Checkpoints"] = _bucket()
    resources |= {
        "Role": _role(plan),
        "InstanceProfile": {
            "Type": "AWS::IAM::InstanceProfile", "Properties": {"Roles": [{"Ref": "Role"}]}
        },
        "SecurityGroup": {
            "Type": "AWS::EC2::SecurityGroup",
            "Properties": {
                "GroupDescription": "GPU machines: nothing from outside",
                "VpcId": {"Ref": "VpcId"},
                "SecurityGroupEgress": [{"IpProtocol": "-1", "CidrIp": "0.0.0.0/0"}],
            },
        },
    }  # fmt: skip
    if plan.gang:
        resources |= _between_nodes()
    resources["LaunchTemplate"] = {
        "Type": "AWS::EC2::LaunchTemplate",
        "Properties": {"LaunchTemplateData": _launch(plan)},
    }
    resources["Group"] = {"Type": "AWS::AutoScaling::AutoScalingGroup", "Properties": _group(plan)}
    elsewhere = message("emit.other_region", region=plan.region)
    here = {"Fn::Equals": [{"Ref": "AWS::Region"}, plan.region]}
    return {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": one_line(say(plan.why[0]))[:1000],
        "Parameters": _parameters(plan, say),
        "Rules": {
            "PricedRegion": {"Assertions": [{"Assert": here, "AssertDescription": say(elsewhere)}]}
        },
        "Resources": resources,
    }


def _parameters(plan: Plan, say: Say) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for blank, what in fill(plan):
        name, kind = _PARAMETERS[blank]
        found[name] = {"Type": kind, "Description": say(what)}
    if (image := aws_image(plan)) is not None:
        kind = "AWS::SSM::Parameter::Value<AWS::EC2::Image::Id>"
        found["ImageId"] = {"Type": kind, "Default": image}
    return found


def _bucket() -> dict[str, Any]:
    return {
        "Type": "AWS::S3::Bucket",
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {
            "BucketEncryption": {
                "ServerSideEncryptionConfiguration": [
                    {"ServerSideEncryptionByDefault": {"SSEAlgorithm": "AES256"}}
                ]
            },
            "PublicAccessBlockConfiguration": {
                "BlockPublicAcls": True,
                "BlockPublicPolicy": True,
                "IgnorePublicAcls": True,
                "RestrictPublicBuckets": True,
            },
            "VersioningConfiguration": {"Status": "Enabled"},
            "LifecycleConfiguration": {
                "Rules": [
                    {
                        "Id": "replaced",
                        "Status": "Enabled",
                        "NoncurrentVersionExpiration": {"NoncurrentDays": KEEP_DAYS},
                        "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": KEEP_DAYS},
                    }
                ]
            },
        },
    }


def _role(plan: Plan) -> dict[str, Any]:
    managed = {"Fn::Sub": "arn:${AWS::Partition}:iam::aws:policy/AmazonSSMManagedInstanceCore"}
    properties: dict[str, Any] = {
        "AssumeRolePolicyDocument": ASSUME,
        "ManagedPolicyArns": [managed],
    }
    if plan.checkpoint is not None:
        bucket, objects = (
            {"Fn::GetAtt": ["Checkpoints", "Arn"]},
            {"Fn::Sub": "${Checkpoints.Arn}/*"},
        )
        document = {"Version": "2012-10-17", "Statement": bucket_statements(bucket, objects)}
        properties["Policies"] = [{"PolicyName": "checkpoints", "PolicyDocument": document}]
    return {"Type": "AWS::IAM::Role", "Properties": properties}


def _between_nodes() -> dict[str, Any]:
    """A cluster placement group, and all traffic between its machines, which EFA needs."""
    found: dict[str, Any] = {
        "PlacementGroup": {
            "Type": "AWS::EC2::PlacementGroup", "Properties": {"Strategy": "cluster"}
        }
    }  # fmt: skip
    for way, key in (
        ("Ingress", "SourceSecurityGroupId"),
        ("Egress", "DestinationSecurityGroupId"),
    ):
        found[f"Nodes{way}"] = {
            "Type": f"AWS::EC2::SecurityGroup{way}",
            "Properties": {
                "GroupId": {"Fn::GetAtt": ["SecurityGroup", "GroupId"]},
                "IpProtocol": "-1",
                key: {"Fn::GetAtt": ["SecurityGroup", "GroupId"]},
            },
        }
    return found


def _launch(plan: Plan) -> dict[str, Any]:
    found: dict[str, Any] = {
        "ImageId": {"Ref": "ImageId"},
        "InstanceType": plan.type.name,
        "IamInstanceProfile": {"Arn": {"Fn::GetAtt": ["InstanceProfile", "Arn"]}},
        "MetadataOptions": {"HttpTokens": "required", "HttpPutResponseHopLimit": 1},
        "BlockDeviceMappings": [_disk("/dev/sda1", plan.boot_gb)],
    }
    if plan.data_gb:
        found["BlockDeviceMappings"].append(_disk("/dev/sdf", plan.data_gb))
    cards = EFA_CARDS.get(plan.type.name, 0) if plan.gang else 0
    if cards:
        found["NetworkInterfaces"] = _cards(plan, cards)
    else:
        found["SecurityGroupIds"] = [_GROUP]
    script = boot_script(plan, f"s3://{BUCKET}")
    if script is not None:
        body: Any = cloud_config(script)
        if plan.checkpoint is not None:
            # In a substitution a literal `${` is written with a mark of its own.
            body = {"Fn::Sub": body.replace("${", "${!").replace(BUCKET, "${Checkpoints}")}
        found["UserData"] = {"Fn::Base64": body}
    if plan.purchase == CAPACITY_BLOCK:
        found["InstanceMarketOptions"] = {"MarketType": "capacity-block"}
        target = {"CapacityReservationId": {"Ref": "CapacityReservationId"}}
        found["CapacityReservationSpecification"] = {"CapacityReservationTarget": target}
    return found


def _disk(device: str, size: int) -> dict[str, Any]:
    disk = {"VolumeSize": size, "VolumeType": "gp3", "Encrypted": True, "DeleteOnTermination": True}
    return {"DeviceName": device, "Ebs": disk}


def _cards(plan: Plan, cards: int) -> list[dict[str, Any]]:
    """One interface a card; only the first has an address."""
    bare = plan.type.name in FIRST_WITHOUT
    return [
        {
            "NetworkCardIndex": index,
            "DeviceIndex": min(index, 1),
            "InterfaceType": "efa-only" if index else ("interface" if bare else "efa"),
            "Groups": [_GROUP],
            "DeleteOnTermination": True,
        }
        for index in range(cards + bare)
    ]


def _group(plan: Plan) -> dict[str, Any]:
    size = str(plan.instances)
    launch = {
        "LaunchTemplateId": {"Ref": "LaunchTemplate"},
        "Version": {"Fn::GetAtt": ["LaunchTemplate", "LatestVersionNumber"]},
    }
    found: dict[str, Any] = {
        "MinSize": size,
        "DesiredCapacity": size,
        "MaxSize": size,
        "VPCZoneIdentifier": {"Ref": "SubnetIds"},
    }
    if plan.gang:
        found["PlacementGroup"] = {"Ref": "PlacementGroup"}
    if plan.purchase == SPOT:
        found["MixedInstancesPolicy"] = {
            "InstancesDistribution": {
                "OnDemandBaseCapacity": 0,
                "OnDemandPercentageAboveBaseCapacity": 0,
                "SpotAllocationStrategy": "price-capacity-optimized",
            },
            "LaunchTemplate": {
                "LaunchTemplateSpecification": launch,
                "Overrides": [{"InstanceType": name} for name in plan.types],
            },
        }
        if not plan.gang:
            found["CapacityRebalance"] = True
    else:
        found["LaunchTemplate"] = launch
    found["Tags"] = [{"Key": "Name", "Value": plan.name, "PropagateAtLaunch": True}]
    return found
