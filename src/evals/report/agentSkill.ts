/** The skill that teaches a coding agent to check its changes: the text of a SKILL.md. */
export const AGENT_SKILL = `---
name: check-data-model-answers
description: Finds out which answers of the analytics agent change with an edit of the data model (cubes, views, measures, dimensions, access policies) or of the agent's rules and certified queries. Use it after each such edit, when a question test fails, and to ask a question about the data.
---

# Check the answers that a data model gives

A data model that compiles can still return wrong numbers. An analytics agent answers questions from the model of each
branch, so compare its answers before and after a change.

## Tools

| To | MCP | In VS Code | Command line |
| --- | --- | --- | --- |
| find names that the model does not have | | | \`analytics-chat lint\` |
| see which answers a change affects | \`check_change\` | \`#analyticsCheck\` | \`analytics-chat check\` |
| run the question tests | \`run_questions\` | \`#analyticsTests\` | \`analytics-chat eval --branch NAME\` |
| ask a question, or a follow-up | \`ask\`, with \`chatId\` | \`#analyticsAsk\` | \`analytics-chat ask "…"\` |

\`lint\` costs nothing. The others ask the agent: a check asks each question two to six times, so run it once for a finished
edit, not for every line. All of them can take minutes.

## The loop

1. Edit on a branch of its own, never on the main branch.
2. Run \`lint\`, and fix what it lists.
3. Commit and push. The service answers from what is pushed, and serves a branch only once it is built: pass \`wait\`,
   such as \`10m\`.
4. Run \`check_change\`. If it warns of a change that is not pushed, go back to 3.
5. Read each question that is \`changed\`: \`rows\` has the rows before (-) and after (+), \`changes\` the file and line of the
   change that may be the reason. Decide whether the edit was meant to change this answer in this way.
6. If it was not, fix the model at that line, and go back to 2. If no question uses what you changed, ask one yourself
   on both branches.
7. Run \`run_questions\` on the branch. Fix what failed, push, and repeat with \`failed_only\`.
8. Tell the person which answers change, by how much and why, also those that you meant to change.

## Verdicts

| Verdict | Meaning |
| --- | --- |
| changed | On each branch most answers agree, and they differ between the branches: the change is real. |
| same, passed | The rows are equal. |
| unstable | The answers on one branch vary by themselves. This proves no change: don't edit the model because of it, and don't repeat the check until it looks right. Report it. |
| flaky | Most answers passed, but not all. |
| failed | Most answers differ from the expected result. |
| review | The rows can't decide it, for example because no query ran. A person has to look. |
| errored | The question could not be asked. The message says why: the branch, the key or the service. |
| skipped | The question has no expected result. |

## Never

- Never accept results without a person: no \`eval --accept\`, and no edits of \`.analytics-chat/baselines/\`, certified
  queries or expected SQL, so that a test passes.
- Never remove or reword a question so that it passes.
- Never write a key into a file, an argument or a message. The tools read it from the environment.
- Never conclude that a change is right because no answer changed: only questions that exist are asked.
`;
