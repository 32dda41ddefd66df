"""Texts of `recommend --emit`: the head of an emitted file, its remarks, and refusals."""

from __future__ import annotations

EN: dict[str, str] = {
    # -- the choice
    "emit.what": (
        "{instances} x {type} ({devices} x {device}) at {provider} {region}, {terms}: rank {rank}"
        " of the options for {title}."
    ),
    "emit.unnamed": "no named workload",
    "emit.price": (
        "Chosen at {price} for one, {hourly} for all, {monthly} a month of {hours} h; {source}."
    ),
    "emit.price_one": "Chosen at {price}, {monthly} a month of {hours} h; {source}.",
    "emit.source": "price of {date}, {confidence}: {title} ({address})",
    "emit.your_price": "a price of your own",
    "emit.part_of_month": (
        "The price holds for {hours} h a month: stop the machines for the rest, which nothing here"
        " does."
    ),
    "emit.run": "The run: about {hours} h and {money} ({low} to {high}).",
    "emit.commitment": (
        "The price is a commitment ({details}), which is bought in the cloud's billing, not here:"
        " the machines below are on demand, and cost more until it is bought."
    ),
    "emit.capacity_block": (
        "A Capacity Block is bought for fixed days and paid in advance; buy it first, and remove"
        " the machines before it ends."
    ),
    "emit.flex_start": (
        "Flex-start waits in a queue until all machines are free, and takes them back after seven"
        " days at most."
    ),
    "emit.calendar": (
        "A calendar reservation is asked for and granted for fixed days; the machines are bound to"
        " it."
    ),
    "emit.fallbacks": (
        "Spot may give these in its place, with the same devices, at their own spot prices:"
        " {types}."
    ),
    "emit.spot_alone": (
        "Spot machines can be taken back at any time; no other type here stands in for this one."
    ),
    "emit.checkpoint_size": "A checkpoint takes about {gb} GB.",
    "emit.checkpoint_said": "One is written after every {minutes} minutes of work, as asked.",
    "emit.checkpoint_best": (
        "One every {minutes} minutes of work loses least to interruptions and to writing, by the"
        " figures that the run was priced with."
    ),
    "emit.made_by": "A starting point to review, made by gpuadvisor as of {today} with:",
    "emit.check": "`check` prices this as recommended; run it again after an edit.",
    "emit.check_job": (
        "`check` prices an hour of it as recommended, as work that ends has no month; run it again"
        " after an edit."
    ),
    "emit.check_committed": (
        "`check` prices the machines on demand, as the file buys no commitment; run it again after"
        " an edit."
    ),
    "emit.check_reserved": (
        "`check` prices the machines on demand, as the file says that they are reserved but not on"
        " which terms; run it again after an edit."
    ),
    # -- to fill in
    "emit.fill": "To fill in:",
    "emit.fill_vpc": "the VPC that the subnets belong to",
    "emit.fill_subnets": "private subnets, one in each zone that may be used",
    "emit.fill_one_subnet": "one private subnet, as the nodes must be near each other",
    "emit.fill_image": "a machine image with drivers for the device; none is known here",
    "emit.fill_reservation": "the reservation that was bought or granted",
    "emit.fill_project": "the project that pays",
    "emit.fill_network": "the VPC network of the subnetwork",
    "emit.fill_subnetwork": "a subnetwork with a way to the internet (Cloud NAT)",
    "emit.fill_zone": "a zone of {region} that offers the machine type",
    "emit.fill_azure_subnet": "a subnet with a way to the internet (NAT gateway)",
    "emit.fill_ssh_key": "a public key, which Azure asks for although no one can connect",
    "emit.fill_storage_account": "a storage account name that is free everywhere",
    "emit.fill_run": "the command, given as COMMAND with --env or in place of it",
    "emit.fill_probe": "where the server answers, and that it is ready",
    "emit.fill_bucket": "where checkpoints are kept; a bucket that is private",
    "emit.fill_container": "what runs",
    "emit.fill_cluster": "the cluster, in the discovery tags and the node role",
    # -- remarks
    "emit.bucket": (
        "Checkpoints: private, encrypted, with versions; what is replaced goes after {days} days."
    ),
    "emit.no_inbound_aws": (
        "Nothing comes in from outside; `aws ssm start-session --target INSTANCE` gives a shell."
    ),
    "emit.no_inbound_gcp": (
        "Machines have no public address; `gcloud compute ssh --tunnel-through-iap` gives a shell."
    ),
    "emit.no_inbound_azure": (
        "Machines have no public address, and the default rules let nothing in; Azure Bastion gives"
        " a shell."
    ),
    "emit.encryption_at_host": (
        "Encryption at host has to be allowed once: az feature register --namespace"
        " Microsoft.Compute --name EncryptionAtHost."
    ),
    "emit.gcp_fabric": (
        "Only the first network card is set up, which is enough to start and slow between nodes:"
        " {type} has RDMA networks of its own, which Google's Cluster Toolkit makes."
    ),
    "emit.azure_fabric": "One placement group keeps the nodes on one InfiniBand.",
    "emit.stack_region": (
        "Create the stack in {region}: a rule in the template refuses other regions, whose prices"
        " differ."
    ),
    "emit.demand": (
        "Pods for machines that the cluster must have or be able to add; the labels are those that"
        " the cloud's own clusters give to nodes."
    ),
    "emit.terms_of_nodes": (
        "No common label says on which terms a node is rented there: choose the node group that is,"
        " or the pods may land on dearer nodes."
    ),
    "emit.mig_nodes": (
        "Nodes need NVIDIA's GPU operator with the mixed MIG strategy and the label"
        " nvidia.com/mig.config={config}."
    ),
    "emit.pool": (
        "The pool starts machines when pods ask for them: `--emit kubernetes` writes such pods."
    ),
    "emit.mig_pool": (
        "Slices need NVIDIA's GPU operator with the mixed MIG strategy, and Karpenter's feature"
        " gate NodeOverlay, as no type has slices before its devices are cut."
    ),
    "emit.one_subnet": "The nodes must be near each other: name one subnet.",
    "emit.other_region": "Chosen for its price in {region}.",
    # -- refusals
    "emit.nothing": (
        "no option serves the demand within the budget, so there is nothing to write; run it again"
        " without --emit to see why"
    ),
    "emit.no_rank": "--pick {pick}: the answer shows the ranks {ranks}; --top shows more",
    "emit.zones": (
        "--zones {zones}: --emit puts the nodes of a training next to each other in one zone; leave"
        " --zones out"
    ),
    "emit.pick_alone": "--pick chooses the option that --emit writes; add --emit",
    "emit.and_format": "--emit writes a file of its own kind; leave --format out",
    "emit.form": "--emit {value}: expected one of {known}",
    "emit.exists": "{file} exists and may hold your edits; move it away, or name another file",
    "emit.provider": (
        "{form} cannot be written for {provider}, only for {known}; --provider limits the answer to"
        " those, and --emit kubernetes works for all"
    ),
    "emit.terms": "{form} has no way to ask for machines on these terms: {terms}",
    "emit.tpu": "terraform cannot be written for TPUs here ({type}); --emit kubernetes can",
    "emit.no_resource": (
        "no resource name is known by which Kubernetes counts {device}, so no pod can ask for it"
    ),
    "emit.no_label": "{value} cannot be the value of a Kubernetes label",
    "emit.written": "{file}: {summary}",
}
