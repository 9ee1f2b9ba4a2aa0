// The default limit on the largest clique, if neither cliques nor tables have a limit: as in bnfuse.consensus.
export const DEFAULT_LIMIT = 4;
