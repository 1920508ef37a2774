import { ON_RESULTS } from "../../helpers/actions-on-results.ts"
import { testLostReplies } from "../../helpers/lost-replies.ts"

testLostReplies(ON_RESULTS, {
  followsPulls: true,
  env: { RESERVED_SLOTS: "0" },
})
