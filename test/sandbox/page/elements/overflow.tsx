import { stringIn } from "../../kit/json.ts"
import { optionsOf } from "../../slack/interaction/options.ts"
import type { ElementProps } from "../blocks/surface.ts"
import { TextObject, wordsIn } from "../blocks/text-object.tsx"
import { SafeLink } from "../mrkdwn/safe-link.tsx"
import { Menu, MenuItem } from "../shell/menu.tsx"
import { Trouble } from "./trouble.tsx"
import { useElement } from "./use-element.ts"
import { useKeptFocus } from "./use-kept-focus.ts"

export function Overflow({ element, block }: ElementProps) {
  const { choose, trouble } = useElement({ element, block })
  const own = useKeptFocus()
  return (
    <span ref={own} class="element">
      <Menu label="More options" class="button button-plain">
        {optionsOf(element).map((option) => {
          const [value, url] = [stringIn(option, "value") ?? "", stringIn(option, "url")]
          return (
            <MenuItem key={value} onPick={() => void choose(value)}>
              {url ? (
                <SafeLink url={url}>{wordsIn(option.text)}</SafeLink>
              ) : (
                <TextObject value={option.text} />
              )}
            </MenuItem>
          )
        })}
      </Menu>
      <Trouble text={trouble} />
    </span>
  )
}
