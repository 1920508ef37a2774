/** Keys of the visitors feature, under the one hash tag that all keys share; see `keys.ts`. */
const PREFIX = "{da}:v"

export const visitorsKeys = {
  /** Analytics requests of the rolling hour of a service key; score = latest moment it can have arrived, ms. */
  hour: (account: string) => `${PREFIX}:key:${account}:hour`,
  /** Those of the hour that are one person's; as in `hour`. */
  hourOf: (account: string, user: string) => `${PREFIX}:key:${account}:hour:${user}`,
  /** People who asked within the hour, whether there was room or not; score = when last, ms. */
  askers: (account: string) => `${PREFIX}:key:${account}:askers`,
  /** Present while the service refuses analytics requests. */
  pause: (account: string) => `${PREFIX}:key:${account}:pause`,
  reading: (kind: string, key: string) => `${PREFIX}:r:${kind}:${key}`,
  /** The process that reads it now. */
  lock: (kind: string, key: string) => `${PREFIX}:r:${kind}:${key}:lock`,
  shown: (id: string) => `${PREFIX}:shown:${id}`,
  shared: (id: string) => `${PREFIX}:shown:${id}:shared`,
  shownGaps: (id: string) => `${PREFIX}:gaps:${id}`,
  level: (team: string, kind: string) => `${PREFIX}:level:${team}:${kind}`,
  export: (id: string) => `${PREFIX}:x:${id}`,
  exportsDue: `${PREFIX}:x-due`,
  exportsWork: `${PREFIX}:x-work`,
  /** A digest, or what a channel is alerted to. */
  post: (id: string) => `${PREFIX}:p:${id}`,
  postsDue: `${PREFIX}:p-due`,
  postsWork: `${PREFIX}:p-work`,
}
