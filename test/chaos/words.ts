const PROMPT = /explain chapter \d{5}/g

/** What the n-th request says. */
export function promptOf(n: number): string {
  return `explain chapter ${String(n).padStart(5, "0")}`
}

/** The first prompt in a text: a card's own, which stands before whatever else it names. */
export function promptIn(text: string | undefined): string | undefined {
  return text?.match(PROMPT)?.[0]
}

/** The last one: in what the service is told, earlier work stands before the words themselves. */
export function lastPromptIn(text: string): string | undefined {
  return text.match(PROMPT)?.at(-1)
}

/** Said privately where something was not done after all. */
export const REFUSED = /can't reach my storage|Something went wrong|Slack rejected|Slack didn't say/
