/** Something that a person did in Slack, as it was delivered. */
interface DeferredPayload {
  /** The same for every delivery of the same thing. */
  id: string
  /** The fields that the bot reads. */
  body: Readonly<Record<string, unknown>>
}

/** What a deferred payload asks for is not kept: its person was forgotten since, and the payload with them. */
export class PayloadForgotten extends Error {
  override name = "PayloadForgotten"
}

/**
 * Payloads that were acknowledged and could not be acted upon yet. They belong to all processes: when
 * one dies, another acts upon what it left.
 */
export interface DeferredPayloads {
  /**
   * Durable when it is `kept`. `seen`: it is kept already, or was settled lately. `full`: so much of this
   * person's waits that no more is kept.
   * @param user whose words it holds
   */
  keep(payload: DeferredPayload, user: string): Promise<"kept" | "seen" | "full">
  /** The one that is due longest, leased to the caller; undefined when none is due. */
  claim(): Promise<DeferredPayload | undefined>
  /** Until the next one is due, ms; undefined when none is kept. */
  nextDue(): Promise<number | undefined>
  /** It was acted upon: nobody claims it again, and its words are gone. */
  settle(id: string): Promise<void>
}
