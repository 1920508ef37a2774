/** Public file of the local Slack: code outside this folder imports from here only. */

export { buttonsOf, formatIssue, walk } from "./block-kit/issue.ts"
export { validateMessageBlocks, validateView } from "./block-kit/validate.ts"
export type { DeliveryRecord } from "./delivery/delivery.ts"
export { signatureHeaders } from "./delivery/http-transport.ts"
export { type LocalSlack, startLocalSlack } from "./local-slack.ts"
export {
  AGENT_EVENTS,
  AGENT_SCOPES,
  DEFAULT_SCOPES,
  type LocalSlackOptions,
  type Shown,
} from "./options.ts"
export type { InputErrors } from "./person/modal.ts"
export type { Person } from "./person/person.ts"
export type { PostOptions, SharedFile } from "./person/speak.ts"
export type { MessageRef } from "./person/target.ts"
export * from "./seed/people.ts"
export type { Mishap } from "./server/serve-call.ts"
export { createRateLimits, postsInChannel, tier3 } from "./web-api/rate-limits.ts"
export type { Channel, Message, SlackFile, User, View } from "./workspace/model.ts"
export { type AgentSession, statusOf } from "./workspace/sessions.ts"
