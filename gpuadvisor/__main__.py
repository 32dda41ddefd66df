"""`python -m gpuadvisor`."""

from gpuadvisor.cli.main import main

main()
