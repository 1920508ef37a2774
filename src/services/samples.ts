import type { Sample } from "../ports/message.ts"
import { agentSamples } from "../views/samples.ts"
import { visitorsSamples } from "../views/visitors/samples.ts"

/** One of each kind of message that the bot sends; none of them belongs to anybody. */
export function samples(): Sample[] {
  return [...agentSamples(), ...visitorsSamples()]
}
