import { ON_RESULTS } from "../../helpers/actions-on-results.ts"
import { testLostReplies } from "../../helpers/lost-replies.ts"
import { UNWATCHED } from "../../helpers/with-pull.ts"

testLostReplies(ON_RESULTS, {
  followsPulls: true,
  timing: UNWATCHED,
  env: { RESERVED_SLOTS: "0" },
})
