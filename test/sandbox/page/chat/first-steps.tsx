import { usePage } from "../model/model.ts"

/** First messages to try; each fills the composer, to be sent or changed. */
const STEPS = ["/docs-agent fix the quickstart", "/docs-visitors 30d", "/docs-agent help"] as const

export function FirstSteps({ onPick }: { onPick: (line: string) => void }) {
  const { model } = usePage()
  if (model.messages.some(({ isBot }) => isBot)) return null
  return (
    <div class="first-steps">
      <p>
        Try a command, or mention <strong>@Docs Agent</strong> in a thread:
      </p>
      {STEPS.map((line) => (
        <button key={line} type="button" class="chip" onClick={() => onPick(line)}>
          {line}
        </button>
      ))}
    </div>
  )
}
