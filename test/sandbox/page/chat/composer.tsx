import { useId, useRef, useState } from "preact/hooks"
import { act } from "../model/api.ts"
import { usePage } from "../model/model.ts"
import { Icon } from "../shell/icon.tsx"
import { type Attached, AttachFiles } from "./attach-files.tsx"
import { commandIn, complete, type Suggestion } from "./completion.ts"
import { FirstSteps } from "./first-steps.tsx"
import { GlobalShortcuts } from "./global-shortcuts.tsx"
import { Suggestions } from "./suggestions.tsx"

interface ComposerProps {
  readonly channel: string
  readonly thread?: string
  readonly placeholder: string
  readonly onSend: () => void
}

/** Renders the message box. Shift+Enter breaks the line; arrow keys and Tab complete. */
export function Composer({ channel, thread, placeholder, onSend }: ComposerProps) {
  const { model, view, notify, attempt } = usePage()
  const [text, setText] = useState("")
  const [caret, setCaret] = useState(0)
  const [picked, setPicked] = useState(0)
  const [dismissed, setDismissed] = useState("")
  const [files, setFiles] = useState<readonly Attached[]>([])
  const input = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const completion = dismissed === text ? undefined : complete(text, caret, model)
  const suggestions = completion?.suggestions ?? []
  const at = Math.min(picked, suggestions.length - 1)
  const command = commandIn(text, model.catalog.commands)

  async function send(): Promise<void> {
    const line = text
    if (line.trim() === "" && files.length === 0) return
    setText("")
    setFiles([])
    // Also after a click on the button, which is now disabled and loses the focus.
    input.current?.focus()
    onSend()
    const said = act("say", {
      as: view.me,
      channel,
      text: line,
      files: [...files],
      ...(thread ? { thread } : {}),
    })
    const succeeded = await attempt(said.then(({ notice }) => notice && notify(notice)))
    if (succeeded) return
    // Unless something new was typed meanwhile.
    setText((now) => now || line)
    setFiles(files)
  }

  function insert(suggestion: Suggestion): void {
    const from = completion?.from ?? 0
    const next = text.slice(0, from) + suggestion.insert + text.slice(caret)
    setText(next)
    setCaret(from + suggestion.insert.length)
    setPicked(0)
    setDismissed(next)
    input.current?.focus()
  }

  function fillIn(line: string): void {
    setText(line)
    setCaret(line.length)
    input.current?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return
    const chosen = suggestions[at]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (chosen && step !== undefined) {
      setPicked((at + step + suggestions.length) % suggestions.length)
    } else if (chosen && (event.key === "Tab" || (event.key === "Enter" && !isWhole(chosen)))) {
      insert(chosen)
    } else if (chosen && event.key === "Escape") setDismissed(text)
    else if (event.key === "Enter" && !event.shiftKey) void send()
    else return
    event.preventDefault()
  }

  function isWhole(suggestion: Suggestion): boolean {
    return suggestion.insert.trim() === text.trim()
  }

  return (
    <div class="composer">
      {thread === undefined && text === "" ? <FirstSteps onPick={fillIn} /> : null}
      {command ? (
        <p class="usage">
          <code>{command.name}</code> {command.usage}
        </p>
      ) : null}
      {files.length > 0 ? (
        <p class="usage" role="status">
          Attached: {files.map(({ name }) => name).join(", ")}
        </p>
      ) : null}
      <div class="composer-box">
        <AttachFiles onAttach={(more) => setFiles((now) => [...now, ...more])} />
        {thread === undefined ? <GlobalShortcuts /> : null}
        <textarea
          ref={input}
          id={thread ? undefined : "message-box"}
          rows={1}
          dir="auto"
          value={text}
          placeholder={placeholder}
          aria-label={placeholder}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={suggestions.length > 0 ? `${listId}-${at}` : undefined}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            setCaret(currentTarget.selectionStart)
            setPicked(0)
          }}
          onSelect={({ currentTarget }) => setCaret(currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          class="send"
          aria-label="Send"
          disabled={text.trim() === "" && files.length === 0}
          onClick={() => void send()}
        >
          <Icon name="send" />
        </button>
        <Suggestions id={listId} suggestions={suggestions} picked={at} onPick={insert} />
      </div>
    </div>
  )
}
