import type { Suggestion } from "./completion.ts"

interface SuggestionsProps {
  readonly id: string
  readonly suggestions: readonly Suggestion[]
  readonly picked: number
  readonly onPick: (suggestion: Suggestion) => void
}

/** Renders the list above the composer; the focus stays in the text. */
export function Suggestions({ id, suggestions, picked, onPick }: SuggestionsProps) {
  return (
    <div
      id={id}
      class="suggestions"
      role="listbox"
      aria-label="Suggestions"
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.key}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === picked}
          onMouseDown={(event) => {
            event.preventDefault()
            onPick(suggestion)
          }}
        >
          <strong>{suggestion.title}</strong>
          <small>{suggestion.detail}</small>
        </div>
      ))}
    </div>
  )
}
