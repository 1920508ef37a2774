import type { Prompt } from "./job.ts"

/** The text that goes to the service: quoted context, the person's own words, who asked if wanted. */
export function composePrompt({ words, context, origin }: Prompt): string {
  return [context, words, origin].filter(Boolean).join("\n\n")
}
