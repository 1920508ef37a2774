/** Something that is signed as Slack's, and is not what Slack's documentation promises. */
export class MalformedPayload extends Error {
  override name = "MalformedPayload"
  /** Bolt hands on errors with a code as they are, and wraps all others. */
  readonly code = "malformed_payload"

  /** @param field the first one at fault */
  constructor(field: string) {
    super(`a payload of Slack's lacks or misuses "${field}"`)
  }
}
