"""Fixed tasks with their exact optimum, baselines, and the speed of the environments."""
