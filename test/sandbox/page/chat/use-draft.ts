import { useEffect, useState } from "preact/hooks"

const KEY = "docs-agent-sandbox.draft"

export interface DraftPlace {
  readonly me: string
  readonly channel: string
  readonly thread: string | undefined
}

export function useDraft({ me, channel, thread }: DraftPlace) {
  const key = [KEY, me, channel, ...(thread ? [thread] : [])].join(" ")
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "")
  useEffect(() => keep(key, text), [key, text])
  /** A line that was not taken comes back, unless something new was typed meanwhile. */
  const giveBack = (line: string) => {
    setText((now) => now || line)
    // They may be elsewhere by now.
    if (!sessionStorage.getItem(key)) keep(key, line)
  }
  return { text, setText, giveBack }
}

function keep(key: string, text: string): void {
  if (text === "") sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, text)
}
