/** Is this error one of Redis being away, full or busy, rather than a fault of ours? */
export function isStoreAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === "MaxRetriesPerRequestError") return true
  return AWAY.test(error.message)
}

const AWAY =
  /ECONNREFUSED|ECONNRESET|EPIPE|Connection is closed|Command timed out|READONLY|^OOM|LOADING|NOAUTH|WRONGPASS|MASTERDOWN|CLUSTERDOWN|MISCONF|BUSY|ClusterAllFailedError|Stream isn't writeable/
