# 2 x p5.48xlarge (8 x H100-80GB-SXM) at aws us-east-1, spot: rank 1 of the options for
# llm-pretrain.
# Chosen at 26.904583 USD/hour for one, 53.809166 USD/hour for all, 39,280.69 USD a
# month of 730 h; price of 2026-10-05, secondary: Typical: mean over zones,
# syahvan/need-more-vram@14db8ab of 2026-10-05; low: lowest price of the region,
# spotinfo@69bcec6 of 2026-08-10
# (https://github.com/syahvan/need-more-vram/blob/14db8ab/src/data/pricing.json).
# The run: about 372.3 h and 20,030.66 USD (12,543.09 USD to 53,910.72 USD).
# A checkpoint takes about 182 GB.
# One is written after every 60 minutes of work, as asked.
# Spot machines can be taken back at any time; no other type here stands in for this
# one.
# A starting point to review, made by gpuadvisor as of 2026-11-30 with:
#   gpuadvisor recommend --workload llm-pretrain --checkpoint-every 60m --state-gb 182 --gpus 16 --device H100 --params 13e9 --tokens 100e9 --provider aws --region us-east-1 --purchase spot --emit terraform --today 2026-11-30
# `check` prices this as recommended; run it again after an edit.
#   gpuadvisor check main.tf --today 2026-11-30
# To fill in:
# - vpc_id: the VPC that the subnets belong to
# - subnet_ids: one private subnet, as the nodes must be near each other

terraform {
  required_version = ">= 1.5"

  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = ">= 5.79, < 7.0"
    }
  }
}

provider "aws" {
  region = "us-east-1"
}

variable "vpc_id" {
  description = "the VPC that the subnets belong to"
  type        = string
}

variable "subnet_ids" {
  description = "one private subnet, as the nodes must be near each other"
  type        = list(string)

  validation {
    condition     = length(var.subnet_ids) == 1
    error_message = "The nodes must be near each other: name one subnet."
  }
}

data "aws_ssm_parameter" "image" {
  name = "/aws/service/deeplearning/ami/x86_64/base-oss-nvidia-driver-gpu-ubuntu-22.04/latest/ami-id"
}

data "aws_partition" "current" {}

# Checkpoints: private, encrypted, with versions; what is replaced goes after 7 days.
resource "aws_s3_bucket" "checkpoints" {
  bucket_prefix = "checkpoints-"
}

resource "aws_s3_bucket_public_access_block" "checkpoints" {
  bucket                  = aws_s3_bucket.checkpoints.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_s3_bucket_server_side_encryption_configuration" "checkpoints" {
  bucket = aws_s3_bucket.checkpoints.id

  rule {
    apply_server_side_encryption_by_default {
      sse_algorithm = "AES256"
    }
  }
}

resource "aws_s3_bucket_versioning" "checkpoints" {
  bucket = aws_s3_bucket.checkpoints.id

  versioning_configuration {
    status = "Enabled"
  }
}

resource "aws_s3_bucket_lifecycle_configuration" "checkpoints" {
  bucket = aws_s3_bucket.checkpoints.id

  rule {
    id     = "replaced"
    status = "Enabled"

    filter {}

    noncurrent_version_expiration {
      noncurrent_days = 7
    }

    abort_incomplete_multipart_upload {
      days_after_initiation = 7
    }
  }
}

resource "aws_iam_role" "gpu" {
  name_prefix = "llm-pretrain-"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect = "Allow"
        Action = "sts:AssumeRole"
        Principal = {
          Service = "ec2.amazonaws.com"
        }
      },
    ]
  })
}

resource "aws_iam_role_policy_attachment" "session_manager" {
  role       = aws_iam_role.gpu.name
  policy_arn = "arn:${data.aws_partition.current.partition}:iam::aws:policy/AmazonSSMManagedInstanceCore"
}

resource "aws_iam_role_policy" "checkpoints" {
  name = "checkpoints"
  role = aws_iam_role.gpu.id
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect   = "Allow"
        Action   = ["s3:ListBucket"]
        Resource = aws_s3_bucket.checkpoints.arn
      },
      {
        Effect = "Allow"
        Action = [
          "s3:GetObject",
          "s3:PutObject",
          "s3:DeleteObject",
          "s3:AbortMultipartUpload",
          "s3:ListMultipartUploadParts",
        ]
        Resource = "${aws_s3_bucket.checkpoints.arn}/*"
      },
    ]
  })
}

resource "aws_iam_instance_profile" "gpu" {
  name_prefix = "llm-pretrain-"
  role        = aws_iam_role.gpu.name
}

# Nothing comes in from outside; `aws ssm start-session --target INSTANCE` gives a
# shell.
resource "aws_security_group" "gpu" {
  name_prefix = "llm-pretrain-"
  description = "GPU machines: nothing from outside"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_egress_rule" "out" {
  security_group_id = aws_security_group.gpu.id
  ip_protocol       = "-1"
  cidr_ipv4         = "0.0.0.0/0"
}

resource "aws_vpc_security_group_ingress_rule" "nodes" {
  security_group_id            = aws_security_group.gpu.id
  ip_protocol                  = "-1"
  referenced_security_group_id = aws_security_group.gpu.id
}

resource "aws_vpc_security_group_egress_rule" "nodes" {
  security_group_id            = aws_security_group.gpu.id
  ip_protocol                  = "-1"
  referenced_security_group_id = aws_security_group.gpu.id
}

locals {
  user_data = <<-EOT
    #cloud-config
    write_files:
      - path: /var/lib/cloud/scripts/per-boot/10-gpuadvisor.sh
        permissions: '0755'
        content: |
          #!/bin/sh
          set -eu
          printf 'CHECKPOINT_URI=s3://${aws_s3_bucket.checkpoints.bucket}/llm-pretrain\n' > /etc/checkpoint.env
          printf 'CHECKPOINT_EVERY_MINUTES=60\n' >> /etc/checkpoint.env
  EOT
}

resource "aws_launch_template" "gpu" {
  name_prefix   = "llm-pretrain-"
  image_id      = data.aws_ssm_parameter.image.value
  instance_type = "p5.48xlarge"
  user_data     = base64encode(local.user_data)

  iam_instance_profile {
    arn = aws_iam_instance_profile.gpu.arn
  }

  metadata_options {
    http_tokens                 = "required"
    http_put_response_hop_limit = 1
  }

  block_device_mappings {
    device_name = "/dev/sda1"

    ebs {
      volume_size           = 300
      volume_type           = "gp3"
      encrypted             = true
      delete_on_termination = true
    }
  }

  dynamic "network_interfaces" {
    for_each = range(32)

    content {
      network_card_index    = network_interfaces.value
      device_index          = network_interfaces.value == 0 ? 0 : 1
      interface_type        = network_interfaces.value == 0 ? "efa" : "efa-only"
      security_groups       = [aws_security_group.gpu.id]
      delete_on_termination = true
    }
  }

  tag_specifications {
    resource_type = "instance"
    tags = {
      Name = "llm-pretrain"
    }
  }
}

resource "aws_placement_group" "gpu" {
  name     = "llm-pretrain"
  strategy = "cluster"
}

resource "aws_autoscaling_group" "gpu" {
  name_prefix               = "llm-pretrain-"
  min_size                  = 2
  desired_capacity          = 2
  max_size                  = 2
  vpc_zone_identifier       = var.subnet_ids
  placement_group           = aws_placement_group.gpu.id
  wait_for_capacity_timeout = "0"

  mixed_instances_policy {
    instances_distribution {
      on_demand_base_capacity                  = 0
      on_demand_percentage_above_base_capacity = 0
      spot_allocation_strategy                 = "price-capacity-optimized"
    }

    launch_template {
      launch_template_specification {
        launch_template_id = aws_launch_template.gpu.id
        version            = aws_launch_template.gpu.latest_version
      }

      override {
        instance_type = "p5.48xlarge"
      }
    }
  }

  tag {
    key                 = "Name"
    value               = "llm-pretrain"
    propagate_at_launch = true
  }
}
