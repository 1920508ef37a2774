export const PROJECT = "docs-site"
/** Living processes report within this time; longer than any of them takes to hear of it. */
export const COLD_MS = 10_000
export const REQUEST_MS = 15_000
export const SEND_WITHIN_MS = 5000
export const CREATION_MS = REQUEST_MS + SEND_WITHIN_MS
