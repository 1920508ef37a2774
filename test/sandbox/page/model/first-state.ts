import type { FirstState } from "../../workspace/wire.ts"

/** What the server put into the document. @throws Error where it did not. */
export function firstState(): FirstState {
  const text = document.getElementById("first-state")?.textContent
  if (!text) throw new Error("The page came without its state: open it from the sandbox's address.")
  const first: FirstState = JSON.parse(text)
  return first
}
