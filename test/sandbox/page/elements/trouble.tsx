import { ConfirmDialog, type Question } from "../modal/confirm.tsx"

export function Trouble({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <span class="trouble" role="alert">
      {text}
    </span>
  )
}

interface OutcomeProps {
  readonly trouble: string | undefined
  readonly question: Question | undefined
}

/** Renders the question that an element asks before it does something, and its trouble with it. */
export function Outcome({ trouble, question }: OutcomeProps) {
  return (
    <>
      {question ? <ConfirmDialog {...question} /> : null}
      <Trouble text={trouble} />
    </>
  )
}
