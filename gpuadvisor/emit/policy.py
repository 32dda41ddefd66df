"""What machines may do with their checkpoints, and how long a lost one can be had back."""

from __future__ import annotations

from typing import Any

KEEP_DAYS = 7
"""Days that a checkpoint which was replaced or removed can still be restored."""

ASSUME = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Action": "sts:AssumeRole",
            "Principal": {"Service": "ec2.amazonaws.com"},
        }
    ],
}
"""A role for EC2 machines."""


def bucket_statements(bucket: Any, objects: Any) -> list[dict[str, Any]]:
    """What a machine may do with its checkpoints, and nothing else."""
    return [
        {"Effect": "Allow", "Action": ["s3:ListBucket"], "Resource": bucket},
        {
            "Effect": "Allow",
            "Action": [
                "s3:GetObject",
                "s3:PutObject",
                "s3:DeleteObject",
                "s3:AbortMultipartUpload",
                "s3:ListMultipartUploadParts",
            ],
            "Resource": objects,
        },
    ]
