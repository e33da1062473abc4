import tools
def f(:
