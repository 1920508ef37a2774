/** Keys of the visitors feature, under the one hash tag that all keys share; see `keys.ts`. */
const PREFIX = "{da}:v"

export const visitorsKeys = {
  /** Analytics requests of the rolling hour of a service key; score = latest moment it can have arrived, ms. */
  hour: (account: string) => `${PREFIX}:key:${account}:hour`,
  /** The same as the version before kept it: for one project, by its name. */
  projectHour: (project: string) => `${PREFIX}:${project}:hour`,
  /** Those of the hour that are one person's, or of one kind; as in `hour`. */
  hourOf: (account: string, whose: string) => `${PREFIX}:key:${account}:hour:${whose}`,
  /** Who asked within the hour, whether there was room or not; score = when last, ms. */
  askers: (account: string) => `${PREFIX}:key:${account}:askers`,
  /** Present while the service refuses analytics requests. */
  pause: (account: string) => `${PREFIX}:key:${account}:pause`,
  reading: (kind: string, key: string) => `${PREFIX}:r:${kind}:${key}`,
  failure: (kind: string, key: string) => `${PREFIX}:r:${kind}:${key}:failed`,
  /** Who fetches. */
  lock: (kind: string, key: string) => `${PREFIX}:r:${kind}:${key}:turn`,
  shown: (id: string) => `${PREFIX}:shown:${id}`,
  shared: (id: string) => `${PREFIX}:shown:${id}:shared`,
  shownGaps: (id: string) => `${PREFIX}:gaps:${id}`,
  /** Present while a deployment is known to lack the operation. */
  absent: (subject: string, operation: string) => `${PREFIX}:no:${subject}:${operation}`,
  level: (team: string, kind: string) => `${PREFIX}:level:${team}:${kind}`,
  export: (id: string) => `${PREFIX}:x:${id}`,
  exportChunks: (id: string) => `${PREFIX}:x:${id}:chunks`,
  exportSeen: (id: string) => `${PREFIX}:x:${id}:seen`,
  exportRecipients: (id: string) => `${PREFIX}:x:${id}:to`,
  /** Present while the progress needs no edit. */
  exportShown: (id: string) => `${PREFIX}:x:${id}:shown`,
  /** The export for a question that is on its way. */
  exportOf: (question: string) => `${PREFIX}:xof:${question}`,
  exportsDue: `${PREFIX}:x-due`,
  digest: (id: string) => `${PREFIX}:d:${id}`,
  digestsDue: `${PREFIX}:d-due`,
  /** What a channel wants to hear of, and how far its days are judged. */
  alerts: (id: string) => `${PREFIX}:a:${id}`,
  alertsDue: `${PREFIX}:a-due`,
  /** Visitors of closed days, by day. */
  days: (subject: string, part: string) => `${PREFIX}:days:${subject}:${part}`,
  linked: (id: string) => `${PREFIX}:linked:${id}`,
}
