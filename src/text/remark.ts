/** How a question begins, or a remark about oneself, the bot or its answer. */
const OPENINGS = new Set(
  [
    "i i'm i'll i've i'd we we're we'll we've you you're you'll you've it it's that that's this there",
    "what who whose which why how when where what's who's where's how's when's why's not didn't isn't",
    "is are was were am did does do has have had can could will would should may don't doesn't",
  ].flatMap((line) => line.split(" ")),
)

/** Words that name nothing in anybody's docs. */
const NAMES_NOTHING = new Set([
  ...OPENINGS,
  ...[
    "he she they me him us them my your our their its mine yours ours these those someone anyone",
    "anybody everybody everyone nobody one ones all both each none other another same thing things",
    "something anything nothing everything be been being done doing having shall might must need needs",
    "want wants wanted going gonna got get gets whom whether the a an of to for with without at in on by",
    "from up out off over about as so and or but if then than too also just only even still yet already",
    "now next later soon today tomorrow yesterday again ever never always no yes here back away much",
    "many any some very really quite better worse best good great right wrong sure idea ideas myself",
    "aren't wasn't can't couldn't won't wouldn't shouldn't haven't hasn't im ive dont doesnt didnt cant",
    "mean means meant say says said tell told talk know knows see seen saw look looks looked looking",
    "think thinks thought guess understand understood explain ask asked asking expect expected wait",
    "waiting found find try tried trying help happen happens happened happening work works worked",
    "working go goes went come comes came like liked hope team lunch agree disagree happy human",
    "pr prs pull request requests job jobs link merge merged merging review reviewed reviewing approve",
    "approved preview build diff live deployed shipped ship close closed cancel cancelled canceled stop",
    "stopped undo reopen change changed result results summary answer reply bot agent robot ai model",
  ].flatMap((line) => line.split(" ")),
])

/** "Why?", "can I merge this", "that's not what I meant": about the talk, the job or its pull request. */
export function isRemark(clause: string): boolean {
  const words = clause.split(" ")
  return OPENINGS.has(words[0] ?? "") && words.every((word) => NAMES_NOTHING.has(word))
}
