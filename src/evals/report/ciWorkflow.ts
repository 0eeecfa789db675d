/** The GitHub workflow that runs the questions on pull requests and on the main branch. */
import { AGENTS_PATH } from '../../shared/text/agentsPath.ts';
import { REPORT_MARKER } from './markdown.ts';

/** Name of the artifact with the last run of the main branch. */
const MAIN_ARTIFACT = 'analytics-questions-main';

/**
 * @param version of the npm package to run
 * @param checksum SHA-512 in hex and name of its tarball, as `sha512sum --check` reads them: nobody else's package gets
 * the key
 * @param mainBranch branch whose last run is kept; failures that this run has too do not fail a pull request
 * @param agentsPath the folder of the platform's files
 */
export const ciWorkflow = (
  version: string,
  checksum: string,
  mainBranch = 'main',
  agentsPath = AGENTS_PATH,
): string => `# Asks the questions of this repository on the branch of each pull request, and on the main branch after each push. A
# failure that the last run of the main branch has too is listed, but does not fail. A branch that was just pushed is waited
# for, because the service answers on it only once it is built.
# Secrets: ANALYTICS_CHAT_API_KEY. Variables: ANALYTICS_CHAT_API_URL, ANALYTICS_CHAT_EXTERNAL_ID and, to run expected SQL,
# ANALYTICS_CHAT_DATA_QUERY_URL, with the secret ANALYTICS_CHAT_DATA_QUERY_KEY if it is on another origin.
name: Analytics questions
on:
  push:
    branches: [${JSON.stringify(mainBranch)}]
    paths:
      - ${JSON.stringify(`${agentsPath}/**`)}
      - 'model/**'
      - '.analytics-chat/**'
  pull_request:
    paths:
      - ${JSON.stringify(`${agentsPath}/**`)}
      - 'model/**'
      - '.analytics-chat/**'
permissions:
  actions: read
  contents: read
  pull-requests: write
concurrency:
  group: analytics-questions-\${{ github.ref }}
  cancel-in-progress: true
jobs:
  questions:
    # A pull request from a fork has no secrets.
    if: github.event_name == 'push' || github.event.pull_request.head.repo.full_name == github.repository
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          persist-credentials: false
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with:
          node-version: 22
      - name: Install the command line, if it is the one of the extension
        working-directory: \${{ runner.temp }}
        env:
          CHECKSUM: ${checksum}
        run: |
          npm pack analytics-chat@${version} --ignore-scripts
          echo "$CHECKSUM" | sha512sum --check --strict
          npm install --global --ignore-scripts --offline ./analytics-chat-${version}.tgz
      - name: Get the last run of the main branch
        env:
          GH_TOKEN: \${{ github.token }}
          MAIN: ${JSON.stringify(mainBranch)}
        run: |
          # A fork can have a branch with the same name.
          runs='.artifacts[].workflow_run | select(.head_branch == env.MAIN and .head_repository_id == .repository_id) | .id'
          run=$(gh api "repos/$GITHUB_REPOSITORY/actions/artifacts?name=${MAIN_ARTIFACT}&per_page=100" --jq "$runs" | head -n 1)
          if [ -n "$run" ] && gh run download "$run" --repo "$GITHUB_REPOSITORY" --name ${MAIN_ARTIFACT} --dir main-run
          then echo "KNOWN=main-run/questions.json" >> "$GITHUB_ENV"
          fi
      - name: Ask the questions
        env:
          ANALYTICS_CHAT_API_URL: \${{ vars.ANALYTICS_CHAT_API_URL }}
          ANALYTICS_CHAT_API_KEY: \${{ secrets.ANALYTICS_CHAT_API_KEY }}
          ANALYTICS_CHAT_EXTERNAL_ID: \${{ vars.ANALYTICS_CHAT_EXTERNAL_ID }}
          ANALYTICS_CHAT_DATA_QUERY_URL: \${{ vars.ANALYTICS_CHAT_DATA_QUERY_URL }}
          ANALYTICS_CHAT_DATA_QUERY_KEY: \${{ secrets.ANALYTICS_CHAT_DATA_QUERY_KEY }}
          ANALYTICS_CHAT_MAIN_BRANCH: ${JSON.stringify(mainBranch)}
          ANALYTICS_CHAT_AGENTS_PATH: ${JSON.stringify(agentsPath)}
          BRANCH: \${{ github.head_ref || github.ref_name }}
        run: >-
          analytics-chat eval --branch "$BRANCH" --wait 10m --junit questions.xml --markdown questions.md --json questions.json
          \${KNOWN:+--known "$KNOWN"}
      - name: Post the report
        if: always() && github.event_name == 'pull_request' && hashFiles('questions.md') != ''
        env:
          GH_TOKEN: \${{ github.token }}
          PULL_REQUEST: \${{ github.event.pull_request.number }}
          MARKER: '${REPORT_MARKER}'
        run: |
          comments="repos/$GITHUB_REPOSITORY/issues"
          own='.[] | select(.user.login == "github-actions[bot]" and (.body | startswith(env.MARKER))) | .id'
          id=$(gh api --paginate "$comments/$PULL_REQUEST/comments" --jq "$own" | tail -n 1)
          if [ -n "$id" ]
          then gh api --method PATCH "$comments/comments/$id" --field body=@questions.md --silent
          else gh pr comment "$PULL_REQUEST" --body-file questions.md
          fi
      - uses: actions/upload-artifact@ea165f8d65b6e75b540449e92b4886f43607fa02 # v4.6.2
        if: always()
        with:
          name: \${{ github.event_name == 'push' && '${MAIN_ARTIFACT}' || 'analytics-questions' }}
          path: |
            questions.xml
            questions.json
          if-no-files-found: ignore
`;
