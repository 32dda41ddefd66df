"""The command line. Importing it is the first thing that a `gpuadvisor` process does."""

import gc

# A command is one short process, and most of its objects live to its end. At the default
# threshold a tenth of the start-up would go into walking them in vain.
gc.set_threshold(100_000)
