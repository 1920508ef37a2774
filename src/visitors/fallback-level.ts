/**
 * How rich a message a workspace takes, best first: native chart and data table, then a table, then
 * text. Workspaces get new blocks at different times and refuse the others with `invalid_blocks`.
 */
export const fallbackLevels = ["chart", "table", "text"] as const
export type FallbackLevel = (typeof fallbackLevels)[number]
