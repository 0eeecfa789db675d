/** The looks of all parts of the pages, in colors of the theme: as they are, under the pointer, and with the focus. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { emptyDraft } from '../../../src/shared/protocol/chat.ts';
import { emptyThread, type ThreadEvent } from '../../../src/shared/thread/model.ts';
import { reduceAll } from '../../../src/shared/thread/reducer.ts';
import { useHostedPage } from '../support/hostedPage.ts';
import { comparison, many, pair, row, runs, side, thread, three, viewContext } from '../support/runPages.ts';
import { SeenStyles } from '../support/styles.ts';
import * as of from '../support/threadEvents.ts';

/** @returns each property with a value and the parts that have it */
const factsOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const [property = ''] = line.split(': ', 1);
    return line
      .split(/(?<=\)), /)
      .map((fact) => (fact === line ? fact : `${property}: ${fact.replace(/^[\w-]+: /, '')}`));
  });

const LOOKS = `-webkit-line-clamp: 2 (card-title thread-snippet)
align-items: center (answer-footer answers-head answers-progress attachments>li box-actions card-foot card-head definition>ul>li filters find first fold grid-details-bar grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge history-head history-undo jump legend legend.quiet menu-item question-context queue>li results-actions results-head search-head side-head studio-check studio-row thread-title where-button where-row), end (studio-choices), flex-end (bubble-row question), flex-start (notice thumbnails>li)
background-color: activityBarBadge-background (unread), chat-requestBubbleBackground (bubble), checkbox-background (studio-check>input), diffEditor-insertedTextBackground (added from.added line.added number.added sign.added), diffEditor-removedTextBackground (forbidden from.number.removed from.removed line.removed sign.removed), dropdown-background (grid-select studio-choice>select), editor-background (card grid-cell.is-frozen.is-frozen-edge grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-details-value grid-frame grid-heading.is-number.is-frozen.is-frozen-edge grid-icon-button.codicon grid-number grid-row.grid-header), editorWidget-background (find grid-details jump question-pin-text), focus editor-background (grid-icon-button.codicon), hover editor-background (grid-icon-button.codicon), hover list-hoverBackground (added changed chip grid-row openable results.answer-table>tbody>quiet results.definitions>tbody>tr results>tbody>quiet results>tbody>tr suggestions>li), hover toolbar-hoverBackground (action filters>action first>action grid-icon-button.codicon history-undo>action legend.quiet>action notice-text>action results-actions>action where-button), input-background (box filter find-field.is-missing grid-input), inputOption-activeBackground (filters>action), inputValidation-errorBackground (error), list-activeSelectionBackground (suggestions>li), list-hoverBackground (thread-open), menu-background (grid-filter.popup menu.popup), menu-selectionBackground (menu-item), menu-separatorBackground (menu-line), none (action answer-question box>textarea chip filters>action first>action fold grid-icon-button.codicon history-undo>action legend.quiet>action notice-text>action results-actions>action run-cell.quiet thread-name>mark thread-open thread-snippet>mark where-button), textCodeBlock-background (sql), textPreformat-background (results.definitions>tbody>tr>th>code), tree-tableOddRowsBackground (grid-row.is-odd)
background-image: focus linear-gradient(list-activeSelectionBackground, list-activeSelectionBackground) (grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-cell.is-in-range.has-cursor), hover linear-gradient(list-activeSelectionBackground, list-activeSelectionBackground) (grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-cell.is-in-range.has-cursor), linear-gradient(tree-tableColumnsBorder 0, tree-tableColumnsBorder 100%) (grid-handle)
border-bottom: 1 solid editorWidget-border (find grid-frame grid-row.grid-header question-pin-text), 1 solid widget-border (side-head studio suggestions)
border-collapse: collapse (md-table>table results results.answer-table)
border-left: 1 solid editorWidget-border (find question-pin-text), 1 solid widget-border (from measure step-list)
border-radius: 0 0 4 4 (find question-pin-text), 12 (chip), 14 (jump), 2 (error-actions>vscode-button filter find-field.is-missing queue-image studio-choice>select), 3 (studio-check>input), 4 (action answer-question attachments>li box card definition>ul>li>code error filters>action first>action fold grid-frame grid-input grid-select history-undo>action legend.quiet>action menu-item notice-text>action queue>li results-actions>action results-scroll results.definitions>tbody>tr>th>code run-cell.quiet side sql-diff sql>code suggestions>li thumbnail where-button), 5 (answer-accept grid-filter.popup grid-icon-button.codicon menu.popup side-head>vscode-button), 50% (unread), 6 (grid-details), 8 (bubble), focus 5 (grid-icon-button.codicon), hover 5 (grid-icon-button.codicon)
border-right: 1 solid editorGroup-border (grid-cell.is-frozen.is-frozen-edge grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-heading.is-number.is-frozen.is-frozen-edge), 1 solid editorWidget-border (find question-pin-text), 1 solid tree-tableColumnsBorder (grid-cell)
border-top: 1 solid editorWidget-border (grid-frame grid-summary), 1 solid widget-border (added changed composer.read-only history-undo openable results.answer-table>tbody>quiet results.definitions>tbody>tr results>tbody>quiet results>tbody>tr sql studio)
border: 1 dashed widget-border (queue>li), 1 solid chat-requestBorder (attachments>li md-table>table>tbody>tr>td md-table>table>thead>tr>th), 1 solid checkbox-border (studio-check>input), 1 solid dropdown-border (grid-select studio-choice>select), 1 solid editorWidget-border (grid-details grid-frame jump), 1 solid focusBorder (box), 1 solid input-border (box filter), 1 solid inputValidation-errorBorder (error find-field.is-missing grid-input), 1 solid menu-border (grid-filter.popup menu.popup), 1 solid none (unread), 1 solid widget-border (card chip results-scroll side sql-diff thumbnail), contrast 1 solid contrastBorder (box bubble card unread), focus 1 solid focusBorder (box), hover 1 solid focusBorder (jump)
box-shadow: editorWidget-background 0 6 8 2 (question-pin-text), inputOption-activeBorder 0 0 0 1 inset (filters>action)
box-sizing: border-box (answers answers-head answers-progress answers-verdict answers>p attachments>li bubble compared composer filter filters find grid-cell grid-details grid-filter.popup grid-frame grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-input grid-number grid-row.grid-header grid-summary line log-content menu.popup notes notice question-pin-text results-scroll sides studio-check>input tool-details>summary)
clip-path: inset(50%) (state-word visually-hidden)
color: checkbox-foreground (studio-check>input), contrast foreground (number.change.up), descriptionForeground (answer-cell answer-state attached>summary attachment-size card-foot codicon.first-icon composer.read-only>p definition>summary definition>ul>li>code fold from grid-cell.is-null grid-summary legend.quiet note notice number prose.quiet-prose question-context queue>li quiet raw-name results.answer-table>thead>tr>th results>thead>tr>th run-cell.quiet sql-kind status.quiet studio-label thinking>summary thread-about thread-snippet usage where-button), dropdown-foreground (grid-select studio-choice>select), editor-foreground (grid-details-value grid-frame sql>code), editorLineNumber-activeForeground (grid-number.is-selected), editorLineNumber-foreground (grid-number gutter), editorWarning-foreground (notes>li>codicon), editorWidget-foreground (find grid-details jump question-pin-text), errorForeground (card-head>codicon error>codicon find-count grid-problem), focus list-activeSelectionForeground (grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-cell.is-in-range.has-cursor), foreground (results.answer-table>tbody>quiet>th results>tbody>quiet>th), gitDecoration-addedResourceForeground (number.change.up status.quiet>codicon), gitDecoration-deletedResourceForeground (number.change.down), gitDecoration-modifiedResourceForeground (answer-state>codicon answers-verdict>codicon status.quiet>codicon), hover foreground (fold), hover list-activeSelectionForeground (grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-cell.is-in-range.has-cursor), hover textLink-foreground (run-cell.quiet), input-foreground (box>textarea filter find-field.is-missing grid-input), inputOption-activeForeground (filters>action), list-activeSelectionForeground (suggestions>li), list-highlightForeground (thread-name>mark thread-snippet>mark), menu-foreground (grid-filter.popup menu.popup), menu-selectionForeground (menu-item), notificationsWarningIcon-foreground (notice.row-notice>codicon), rgb(255, 255, 255) (error-actions>vscode-button), symbolIcon-keywordForeground (hljs-keyword), testing-iconFailed (codicon forbidden>codicon), textLink-foreground (action filters>action first>action history-undo>action legend.quiet>action notice-text>action results-actions>action run-cell.quiet), textPreformat-foreground (results.definitions>tbody>tr>th>code)
container-type: inline-size (card-head), scroll-state (question-pin)
content-visibility: auto (thread turn)
cursor: col-resize (grid-handle), default (grid-cell grid-number grid-select studio-check studio-choice), not-allowed (disabled), pointer (action attached>summary chip definition>summary filters>action first>action fold grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-icon-button.codicon history-undo>action jump legend.quiet>action menu-item notice-text>action openable question-pin-text results-actions>action run-cell.quiet search-head suggestions>li thinking>summary thread-open where-button), text (box>textarea filter find-field.is-missing grid-input)
display: block (filter.thread-field grid-input grid-select gutter line md-chunk md-part state-word visually-hidden), flex (answer answer-footer answers answers-head answers-progress attachments attachments>li box box-actions bubble-row card-foot card-head card-rare card-tools compared composer definition>ul>li error error-actions examples filters find first fold follow-ups grid-details grid-details-bar grid-frame grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-row grid-summary history history-head history-undo jump legend legend.quiet log-content main menu-item notice question question-actions question-context queue>li read-only-actions results results-actions results-head search-head side-answer side-head sql-actions step-list studio-actions studio-check studio-choice studio-row suggestions>li thread-actions thread-open thread-title thumbnails thumbnails>li turn where where-button where-row), flow-root (card-title thread-snippet), grid (grid-filter.popup sides studio-choices), inline-block (action.certified>codicon codicon composer.read-only>p>codicon definition>summary>codicon run-cell.quiet sign.added sign.removed), inline-flex (fold), list-item (attached>summary definition>summary thinking>summary tool-details>summary)
field-sizing: content (box>textarea)
flex-flow: column nowrap (answer answers box compared composer examples first grid-details grid-frame history log-content main question results side-answer step-list studio-choice thread-open turn), row wrap (answer-footer answers-head answers-progress attachments card-foot error-actions filters follow-ups legend legend.quiet read-only-actions results-actions results-head sql-actions studio-row thumbnails where)
flex: 0 0 auto (answers-head answers-progress answers-verdict answers>p attachment-size card-tools codicon codicon.first-icon compared filters find-count grid-cell grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-icon-button.codicon grid-number grid-summary history-head history-undo menu-item>codicon notes notice notice.row-notice>codicon question-actions queue-image results-head results-scroll sides thread-title>codicon unread where-button where-button>codicon), 0 9999 auto (definition>ul>li>code), 1 1 0% (card-title conversation count filter find-field.is-missing grid-details-title history-rows history-undo-text menu-label notice-text queue-text quiet.results-count results side-head>h2 where-space), 1 1 200 (answers-head>h1), 1 1 240 (where-row), focus 0 0 auto (grid-icon-button.codicon), hover 0 0 auto (grid-icon-button.codicon)
font-family: codicon (attached>summary::before codicon codicon.first-icon definition>summary::before grid-icon-button.codicon menu-item>codicon notice.row-notice>codicon search-head::before studio-check>input thinking>summary::before thread-title>codicon tool-details>summary::before where-button>codicon), editor-font-family (definition>ul>li>code grid-cell grid-details-value raw sign.added sign.removed sql sql-diff), focus codicon (grid-icon-button.codicon), hover codicon (grid-icon-button.codicon)
font-size: 100% (grid-icon-button.codicon), 108% (attached>summary::before codicon composer.read-only>p>codicon definition>summary::before menu-item>codicon raw results-title search-head::before sql sql-diff studio-check>input thinking>summary::before thread-title>codicon tool-details>summary::before where-button>codicon), 117% (grid-icon-button.codicon menu-item>codicon notice>codicon question-context>codicon), 130% (answers-head>h1), 200% (visually-hidden), 246% (codicon.first-icon), 90% (grid-cell.is-null grid-summary), 92% (answer-footer attachment-size card-rows definition>ul>li>code grid-icon-button.codicon notice question-context quiet.answer-name sql-kind studio-label thread-about thread-snippet), focus 100% (grid-icon-button.codicon), hover 100% (grid-icon-button.codicon)
font-style: italic (grid-cell.is-null md-group>p>em)
font-variant-numeric: normal (codicon forbidden>codicon status.quiet>codicon), tabular-nums (count find-count grid-cell grid-number grid-summary md-table>table quiet.results-count results results.answer-table)
font-weight: 400 (grid-icon-button.codicon side-head>h2>quiet), 600 (answers-head>h1 card-title compared>h2 grid-details-title grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge hljs-keyword md-table>table>thead>tr>th measure results-title side-head>h2 thread-name>mark thread-snippet>mark), 700 (answers-verdict>strong from>strong legend>li>strong md-group>p>strong number>strong results>tbody>tr>td>strong visually-hidden), focus 400 (grid-icon-button.codicon), hover 400 (grid-icon-button.codicon)
gap: 0 12 (grid-summary), 0 4 (card-head results-actions results-head), 0 8 (card-foot studio-row), 12 (answers first), 16 (sides), 2 (find fold grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge jump queue>li sql-actions thread-open where-button), 20 (log-content), 4 (attachments attachments>li box-actions bubble-row definition>ul>li error-actions grid-details-bar grid-filter.popup history-head notice question question-context search-head side-head studio-check thread-title thumbnails where-row), 4 12 (answers-head answers-progress filters legend legend.quiet), 4 8 (studio-choices), 8 (answer answer-footer compared error examples follow-ups history-undo menu-item read-only-actions side-answer step-list suggestions>li turn)
grid-template-columns: 134 134 134 (studio-choices), 158 (studio-choices), 202 (grid-filter.popup), 430 430 (sides)
height: 1 (menu-line state-word visually-hidden), 100% (answers grid-frame grid-handle log main results), 16 (studio-check>input), 18.2 (queue-image), 186 (marks), 22 (grid-cell grid-icon-button.codicon grid-row), 23 (grid-summary), 232 (marks), 24 (grid-icon-button.codicon grid-input grid-row.grid-header grid-select studio-choice>select), 28 (jump), 4 (answers-progress>progress), 8 (unread), contrast 233 (marks), fit-content (grid-filter.popup menu.popup), focus 24 (grid-icon-button.codicon), hover 24 (grid-icon-button.codicon)
inset-bottom: 0 (grid-details), 1 (thread-actions), 8 (jump)
inset-left: 0 (grid-number grid-row gutter), 12 (filter.thread-field measure-name), 3 (grid-icon-button.codicon), focus 3 (grid-icon-button.codicon), hover 3 (grid-icon-button.codicon)
inset-right: 0 (grid-handle), 14 (find), 16 (jump), 8 (thread-actions)
inset-top: 0 (find grid-details grid-handle grid-head grid-row question-pin), 4 (filter.thread-field)
inset: 0 (history)
justify-content: center (jump), flex-end (bubble-row grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-summary sql-actions)
line-height: 1.00 (attached>summary::before codicon codicon.first-icon definition>summary::before grid-icon-button.codicon menu-item>codicon notice.row-notice>codicon search-head::before studio-check>input thinking>summary::before thread-title>codicon tool-details>summary::before where-button>codicon), 1.45 (sql sql-diff), 1.50 (grid-details-value md), 1.54 (grid-summary), 1.67 (grid-summary), 1.69 (grid-row), 1.84 (grid-row), 1.85 (attached>summary grid-row.grid-header menu-item), 1.88 (grid-cell.is-null), 2.01 (grid-row.grid-header menu-item), focus 1.00 (grid-icon-button.codicon), hover 1.00 (grid-icon-button.codicon)
list-style-type: none (attached>summary attachments definition>summary definition>ul examples follow-ups legend notes queue search-head suggestions thinking>summary threads thumbnails tool-details>summary)
margin-bottom: 12 (md-table), 2 (queue>li), 4 (filter menu-line), 8 (composer.read-only>p)
margin-left: -6 (studio-actions), 4 (menu-item), 6 (step-list), auto (answers-head answers-progress answers-verdict answers>p card-tools compared composer filters log-content member-insert notes notice question-context>time results-actions results-scroll sides sql-actions)
margin-right: -6 (studio-actions), 2 (action.certified>codicon), 4 (definition>summary>codicon menu-item results-title), 6 (codicon), auto (answers-head answers-progress answers-verdict answers>p compared composer filters log-content notes notice results-scroll sides)
margin-top: -8 (question-pin), 2 (error>codicon studio-actions), 4 (filter menu-line), 8 (error-actions)
margin: -1 (visually-hidden), 4 (studio-check>input), auto (first)
max-height: 100% (grid-frame queue-image), 1992 (grid-filter.popup menu.popup), 200 (raw), 240 (thought), 320 (sql), 400 (sql-diff), 480 (grid-details), 500 (attachments queue thumbnails), 64 (thumbnail), 800 (box>textarea)
max-width: 100% (attachments>li bubble bubble-row md-table results-title where-button), 1400 (answers-head answers-progress answers-verdict answers>p compared filters notes results-scroll sides), 320 (first), 39 (queue-image), 45% (where-button), 452 (grid-filter.popup menu.popup), 900 (composer log-content notice), 96 (thumbnail), calc(100% - 28) (find)
min-height: 100% (log-content), 18.2 (box>textarea), 22 (definition>ul>li), 24 (action answer-question attached>summary box-actions card-head chip filters>action first>action fold grid-icon-button.codicon history-undo>action jump legend.quiet>action notice-text>action results-actions>action run-cell.quiet studio-row thread-open tool-details>summary where-button), 28 (results-head side-head), 44 (grid-details-value), focus 24 (grid-icon-button.codicon), hover 24 (grid-icon-button.codicon)
min-width: 100% (grid-content grid-row line md-chunk md-part), 160 (from menu.popup), 180 (results.definitions>tbody>tr>th results.definitions>thead>tr>th), 24 (action answer-question chip filters>action first>action fold grid-icon-button.codicon history-undo>action legend.quiet>action notice-text>action results-actions>action run-cell.quiet thread-open where-button), 28 (jump), 316 (results.answer-table), 32 (member-name), 52 (find-count), 760 (results.answer-table), focus 24 (grid-icon-button.codicon), hover 24 (grid-icon-button.codicon)
object-fit: cover (queue-image)
opacity: 0 (question-actions thread-about thread-actions), 0.4 (disabled), 0.8 (menu-keys)
order: 1 (history-undo)
outline: contrast contrastActiveBorder solid 1 0 (suggestions>li), diffEditor-insertedTextBorder dashed 1 -2 (added from.added line.added number.added sign.added), diffEditor-removedTextBorder dashed 1 -2 (forbidden from.number.removed from.removed line.removed sign.removed), focus focusBorder solid 1 -1 (action answer-question attached>summary chip definition>summary filter filters>action first>action fold grid-cell grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-icon-button.codicon grid-select history-undo>action jump legend.quiet>action log md-table menu-item notice-text>action results-actions>action results-scroll run-cell.quiet search-head sql sql-diff studio-check>input studio-choice>select thinking>summary tool-details>summary where-button), focus list-focusOutline solid 1 -1 (thread-open), focusBorder solid 1 -1 (filter.thread-field grid-details-value grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-input log), hover none dashed 1 -1 (grid-icon-button.codicon suggestions>li), hover none dotted 1 -2 (grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-cell.is-in-range.has-cursor), hover none solid 1 -1 (suggestions>li), menu-selectionBorder solid 1 -1 (menu-item), none solid 1 0 (suggestions>li)
overflow-wrap: anywhere (answer-cell answer-message answer-state answers-head>h1 bubble card-title chip compared>h2 definition>summary error-body from grid-details-value history-undo-text md notes>li notice-text openable>th question-context raw results.answer-table>tbody>quiet>th results.answer-table>thead>tr>th results.definitions>tbody>tr>th results.definitions>thead>tr>th search-head side-head>h2 thread-snippet tool-error), break-word (box>textarea), normal (md-table>table>tbody>tr>td md-table>table>thead>tr>th)
overflow: auto (answers attachments chart.is-drawn>div>div div>div grid-details-value grid-filter.popup grid-scroller.is-short history-rows md-table menu.popup queue raw results-scroll sql sql-diff suggestions thought thumbnails), clip (grid-cell grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-name grid-number), hidden (attachment-name card card-title definition>ul>li>code grid-details grid-details-title grid-frame marks member-name menu-label question-pin-text queue-text results-title side-head>h2 state-word suggestions>li suggestions>li>quiet thread-about thread-name thread-snippet visually-hidden where-name), hidden auto (log), visible (studio-check>input)
padding: 0 (examples follow-ups grid-details grid-icon-button.codicon legend notes studio-check>input threads), 0 0 0 6 (attachments>li), 0 0 4 (queue where), 0 12 0 28 (line), 0 12 0 4 (menu-item), 0 4 (studio-choice>select), 0 4 4 (box-actions), 0 5 (jump), 0 6 (grid-input grid-select), 0 8 (chart-box grid-cell grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-number), 0 8 0 27 (grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge), 0 8 4 (sql-kind), 0 8 8 (results), 1 (grid-icon-button.codicon), 1 3 (results.definitions>tbody>tr>th>code), 12 (side-answer), 12 12 16 (log-content), 12 12 24 (answers), 16 20 32 (answers), 2 0 (notes>li), 2 0 0 (notice-text), 2 0 2 12 (definition>ul), 2 2 2 8 (queue>li), 2 4 (suggestions>li where-button), 2 4 2 0 (fold), 2 6 (action filter filters>action first>action history-undo>action legend.quiet>action results-actions>action), 2 8 (grid-summary raw-name), 2 8 0 12 (notice), 2 8 4 12 (notice.row-notice), 3 0 (answer-question attached>summary definition>summary run-cell.quiet search-head thinking>summary), 3 4 3 8 (card-head), 3 6 (find-field.is-missing), 3 8 (tool-details>summary), 4 (answer-cell answer-state find openable>th results-head results.answer-table>tbody>quiet>th results.answer-table>thead>tr>th suggestions), 4 0 (menu.popup notice-text>action sql-diff), 4 0 0 (notice>codicon thought), 4 0 4 8 (step-list), 4 12 (added added>th answer-cell answer-state changed>td changed>th chip forbidden from measure number openable>th question-pin-text results.answer-table>tbody>quiet>th results.answer-table>thead>tr>th results.definitions>tbody>tr>th results>tbody>quiet>td results>tbody>quiet>th results>tbody>tr>td results>tbody>tr>th results>thead>tr>th status.quiet thread-open), 4 12 12 (composer), 4 4 4 12 (grid-details-bar), 4 8 (card-foot md-table>table>tbody>tr>td md-table>table>thead>tr>th tool-error), 4 8 4 12 (side-head), 4 8 6 (studio), 4 8 8 (quiet.card-empty raw), 7 12 4 (answer-message answer-state), 7 4 4 (answer-message answer-state), 8 (error grid-filter.popup sql), 8 0 0 (compared), 8 12 (bubble grid-details-value history-undo), 8 12 12 (composer.read-only), 8 8 0 (attachments thumbnails), 8 8 4 (box>textarea), 8 8 8 12 (history-head), focus 0 8 0 27 (grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge), focus 1 (grid-icon-button.codicon), hover 0 8 0 27 (grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge), hover 1 (grid-icon-button.codicon)
position: absolute (filter.thread-field find grid-handle grid-icon-button.codicon grid-row gutter history jump state-word thread-actions visually-hidden), fixed (grid-details grid-filter.popup menu.popup), focus absolute (grid-icon-button.codicon), hover absolute (grid-icon-button.codicon), relative (answers chart-box chart.is-drawn conversation grid-body grid-content grid-frame grid-heading.is-number grid-scroller.is-short line main results results-scroll thread), sticky (grid-cell.is-frozen.is-frozen-edge grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-head grid-heading.is-number.is-frozen.is-frozen-edge grid-number measure-name question-pin)
resize: none (box>textarea)
scroll-padding: 32 0 44 (log)
table-layout: fixed (results.answer-table)
text-align: center (action chip codicon filters>action find-count first grid-icon-button.codicon gutter history-undo>action jump legend.quiet>action menu-item>codicon notice-text>action notice.row-notice>codicon results-actions>action sign.added sign.removed thread-title>codicon where-button), end (from.number from.number.removed number), focus center (grid-icon-button.codicon), hover center (grid-icon-button.codicon), right (grid-cell grid-number)
text-decoration-line: hover underline (run-cell.quiet), none (line.added line.removed)
text-overflow: ellipsis (attachment-name definition>ul>li>code grid-cell grid-details-title grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-name grid-number member-name menu-label question-pin-text queue-text results-title side-head>h2 suggestions>li>quiet thread-about thread-name thread-snippet where-name)
unicode-bidi: plaintext (box>textarea bubble card-title chip grid-cell md-group>p md-table>table>tbody>tr>td md-table>table>thead>tr>th question-pin-text queue-text thread-name thread-snippet)
user-select: none (codicon codicon.first-icon grid-content grid-icon-button.codicon menu-item>codicon notice.row-notice>codicon thread-title>codicon where-button>codicon), text (grid-details md)
vertical-align: bottom (answer-cell answer-state from.number marks measure number results.answer-table>thead>tr>th results>thead>tr>th), middle (added added>th changed changed>td changed>th forbidden from.number from.number.removed from.removed md-table>table>tbody>tr md-table>table>thead>tr number number.added number.change.down number.change.up openable results.answer-table>tbody>quiet results.answer-table>thead>tr results.definitions>tbody>tr results>tbody>quiet results>tbody>quiet>td results>tbody>quiet>th results>tbody>tr results>tbody>tr>td results>tbody>tr>th results>thead>tr status.quiet), text-bottom (action.certified>codicon attached>summary::before codicon composer.read-only>p>codicon definition>summary::before definition>summary>codicon search-head::before thinking>summary::before tool-details>summary::before), top (answer-cell answer-message answer-state from md-table>table>tbody>tr>td md-table>table>thead>tr>th openable>th results.answer-table>tbody>quiet>th results.definitions>tbody>tr>th results.definitions>thead>tr>th)
white-space: nowrap (added added>th answer-cell attachment-name changed>td changed>th count definition>ul>li find-count forbidden from.number from.number.removed from.removed grid-cell grid-details-title grid-heading.is-number grid-heading.is-number.is-frozen.is-frozen-edge grid-number measure menu-item number question-context>time question-pin-text queue-text quiet.results-count results-title results>tbody>quiet>td results>tbody>quiet>th results>tbody>tr>td results>tbody>tr>th results>thead>tr>th search-head>span>quiet side-head>h2 status.quiet suggestions>li thread-about thread-name visually-hidden where-name), pre (grid-select sql sql-diff studio-choice>select), pre-line (answer-message), pre-wrap (box>textarea bubble grid-details-value raw)
width: 1 (state-word visually-hidden), 100% (answers-head answers-progress answers-verdict answers>p compared composer filter filters grid-input grid-row grid-select notes notice results results-scroll results.answer-table sides studio-choice>select thread-open), 140 (answer-state), 150 (answer-cell), 158 (marks), 16 (studio-check>input), 160 (answers-progress>progress), 18 (sign.added sign.removed), 22 (grid-icon-button.codicon), 220 (grid-filter.popup), 24 (answer-state grid-icon-button.codicon), 28 (gutter), 340 (find), 35 (grid-number), 37 (grid-number), 418 (marks), 444 (grid-details), 50% (from), 6 (grid-handle), 8 (unread), 80 (answer-cell), calc(100% - 24) (filter.thread-field), contrast 160 (marks), contrast 420 (marks), fit-content (menu.popup), focus 24 (grid-icon-button.codicon), hover 24 (grid-icon-button.codicon), max-content (line md-chunk md-part)
z-index: 1 (grid-cell.is-frozen.is-frozen-edge grid-cell.is-frozen.is-frozen-edge.is-in-range.has-cursor grid-heading.is-number.is-frozen.is-frozen-edge grid-number question-pin), 2 (find grid-head)`;

describe('The parts of the pages', () => {
  const chat = useHostedPage('main', { width: 460, height: 2000 });
  const results = useHostedPage('results');
  const compared = useHostedPage('runs');

  const show = (events: readonly ThreadEvent[], context: object = {}): Promise<void> => {
    const shown = reduceAll(emptyThread(crypto.randomUUID()), events);
    const state = { thread: shown, viewContext: { ...viewContext, ...context }, draft: emptyDraft };
    return chat.post({ type: 'snapshot', seq: 1, l10n: {}, ...state });
  };
  const click = (name: string | RegExp, at = 0) => chat.page.getByRole('button', { name }).nth(at).click();

  it('look as designed', async () => {
    const seen = new SeenStyles();
    const see = async (selector: string, { page } = chat): Promise<void> => {
      const part = page.locator(selector).first();
      await part.waitFor();
      await page.mouse.move(0, 0);
      await seen.see(page, part);
    };
    await show([], { connection: 'Shop' });
    await chat.page.keyboard.press('Tab');
    await see('main');
    await show([...of.finished, of.failed('No.', 'retry', 'resume')], { certified: [['t1', 'one.md']], lifetime: 60 });
    await see('[role=img], canvas');
    await click(/^Steps/);
    await click('SQL');
    await click('Change chart');
    await chat.page.getByText('Input and result').first().click();
    await chat.page.getByText('About orders.yml:').click();
    await see('main');
    await click('Table actions');
    await see('.menu');
    await chat.page.keyboard.press('Escape');
    const heading = chat.page.getByRole('columnheader', { name: 'n' }).first();
    await heading.click();
    await heading.press('Alt+ArrowDown');
    await see('.menu');
    await chat.page.getByRole('menuitem', { name: 'Filter…' }).click();
    await chat.page.keyboard.type('x');
    await chat.page.getByText('Enter a number.').waitFor();
    await see('.grid-filter');
    await chat.page.keyboard.press('Escape');
    await heading.press('Alt+ArrowDown');
    await chat.page.getByRole('menuitem', { name: 'Freeze Column' }).click();
    await see('.grid-frame:has(.is-frozen)');
    await chat.page.getByRole('gridcell').first().dblclick();
    await see('.grid-details');
    await chat.page.keyboard.press('Escape');
    await chat.page.locator('.grid-details').waitFor({ state: 'detached' });
    await chat.page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await chat.page.setViewportSize({ width: 200, height: 2000 });
    await see('main');
    await chat.page.setViewportSize({ width: 460, height: 2000 });

    const queued = (id: string, text: string, images: object[] = []): ThreadEvent =>
      ({ type: 'queued', message: { id, text, images } }) as ThreadEvent;
    await show([of.sent('q1', 'one'), queued('k1', 'then'), queued('k2', '', of.images), ...of.steps.slice(1, 3)]);
    const attachments = ['file', 'sql'].map((kind) => ({ kind, name: kind, text: kind }));
    await chat.post({ type: 'compose', draft: { text: '', images: of.images, attachments } });
    await chat.page.keyboard.type('/');
    await see('main');
    await chat.page.keyboard.press('Control+f');
    await chat.page.keyboard.type('no such');
    await chat.page.getByText('No results').waitFor();
    await see('.find');
    await show([of.sent('q1', 'one'), of.done], { readOnly: true });
    await see('main');
    const entries = ['a', 'b', 'c'].map((id, at) => ({
      ...{ id, title: id, time: 0, where: 'main', pinned: at === 0, running: at === 0, unread: at === 0 },
      ...{ marks: [[0, 1]], snippet: { text: id, marks: [[0, 1]] } },
    }));
    await chat.post({ type: 'focus', what: 'history' });
    await chat.page.locator('.history').waitFor();
    await chat.posted();
    await chat.post({ type: 'threads', query: '', from: 0, entries, total: 3, busy: false });
    await chat.page.locator('.thread-open').nth(1).press('Delete');
    await chat.page.locator('.thread').first().getByRole('button', { name: 'Rename' }).click();
    await see('.history');

    const table = { columns: ['a', 'b'].map((name) => ({ name, type: 'number' })), rows: [], totalRows: 4 };
    await results.post({ type: 'table', title: 'T', guardFormulas: true, hasSql: true, l10n: {}, remember: {}, table });
    await results.post({ type: 'rows', from: 0, rows: [[1, null]], state: 'stopped', notice: 'Some differ.' });
    await see('main', results);

    await compared.post(runs({ rows: many }));
    await see('main', compared);
    await compared.page.setViewportSize({ width: 900, height: 900 });
    await see('main', compared);
    await compared.post(runs({ ...pair, isRunning: true, comparison }), side(0, thread('a')), side(1, thread('b')));
    await see('main', compared);
    const notes = (['forbidden', 'unproven', 'unknown'] as const).map((kind) => ({ kind, text: kind }));
    await compared.post(
      runs({ isRunning: true, contexts: three, rows: [row('one', 'asking')], comparison: { ...comparison, notes } }),
    );
    await see('main', compared);
    assert.deepEqual(factsOf(String(seen)), factsOf(LOOKS));
  });
});
