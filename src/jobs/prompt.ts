import type { Prompt } from "./job.ts"

/** The text that goes to the service: quoted context first, the person's own words last. */
export function composePrompt({ words, context }: Prompt): string {
  return context ? `${context}\n\n${words}` : words
}
