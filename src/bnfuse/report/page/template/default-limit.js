// Of the largest clique, where neither cliques nor tables have a limit: as bnfuse.consensus has it.
export const DEFAULT_LIMIT = 4;
