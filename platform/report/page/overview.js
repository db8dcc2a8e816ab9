// SPDX-License-Identifier: Apache-2.0
// What was run, and whether it may be believed.

function stateOf(run) {
  const {summary} = run;
  if (!summary.complete) return ['bad', `incomplete: ${summary.end ?? 'stopped'}`];
  if (summary.problems?.length || summary.scoreboard?.mismatches) return ['bad', 'complete, with findings'];
  return ['good', 'complete'];
}

function header() {
  const titles = [...new Set(runs.map((run) => run.summary.experiment))].join(' and ');
  const cards = [...new Set(runs.map((run) => run.summary.configuration ?? run.summary.config))].join(' and ');
  document.getElementById('header').append(
      el('p', {class: 'brand'}, 'gputlm report'), el('h1', {}, titles),
      el('p', {class: 'lead'}, several ? `${runs.length} runs compared, on ${cards}` : `on ${cards}`),
      el('p', {class: 'states'}, runs.map((run) => {
        const [kind, text] = stateOf(run);
        return el('span', {class: `state ${kind}`}, several ? `${run.label}: ${text}` : text);
      })));
  document.getElementById('footer').append(
      `gputlm ${report.version}. Everything on this page is in the file itself; `,
      'plots by dygraphs (MIT licence, in the source of this page). docs/report.md says what each picture shows.');
}

function scoreboardText(run) {
  const board = run.summary.scoreboard;
  if (!board) return run.summary.problems?.length ? 'findings, below' : 'nothing found';
  return [
    figure(run, '/scoreboard/bytes_checked', `${number(board.bytes_checked)} bytes compared`), ', ',
    figure(run, '/scoreboard/mismatches', `${number(board.mismatches)} mismatches`)
  ];
}

function facts(run) {
  const {summary} = run;
  const overrides = summary.overrides ?? summary.set ?? [];
  return [
    ['Experiment', summary.kernel ? `${summary.experiment}, kernel ${summary.kernel}` : summary.experiment],
    [
      'Configuration',
      `${summary.configuration ?? summary.config}${
          summary.configuration_file ? ` (${summary.configuration_file})` : ''}`
    ],
    ['Changed values', overrides.length ? el('code', {}, overrides.join('\n')) : 'none'],
    ['Seed', el('span', {'data-seed': run.seed}, run.seed)],
    ['Program', `gputlm ${summary.version}`],
    ['Outcome', el('strong', {class: stateOf(run)[0]}, stateOf(run)[1])],
    ['Scoreboard', scoreboardText(run)],
    [
      'Simulated',
      summary.simulated_ns === undefined ? timeText(run.time) :
                                           figure(run, '/simulated_ns', timeText(summary.simulated_ns))
    ],
    ['Directory', el('code', {}, run.directory)],
  ];
}

function phaseTable(run) {
  const phases = run.summary.phases ?? [];
  if (!phases.length) return null;
  const rate = (p, bytes) =>
      (p.end_ns === null || p.end_ns <= p.start_ns ? '-' : number(bytes / (p.end_ns - p.start_ns)));
  return el(
      'div', {class: 'scroll'},
      el('table', {}, el('caption', {}, several ? `Phases of ${run.label}` : 'Phases'),
         el('thead', {},
            el('tr', {},
               ['Phase', 'Start', 'End', 'Stored', 'Loaded', 'Program GB/s', 'DRAM read GB/s', 'DRAM write GB/s'].map(
                   (text, i) => el('th', {scope: 'col', class: i ? 'right' : ''}, text)))),
         el('tbody', {},
            phases.map(
                (p, i) => el('tr', {}, el('th', {scope: 'row'}, p.name), [
                  figure(run, `/phases/${i}/start_ns`, timeText(p.start_ns)),
                  figure(run, `/phases/${i}/end_ns`, p.end_ns === null ? 'unfinished' : timeText(p.end_ns)),
                  figure(run, `/phases/${i}/bytes_stored`, bytesText(p.bytes_stored)),
                  figure(run, `/phases/${i}/bytes_loaded`, bytesText(p.bytes_loaded)),
                  rate(p, p.bytes_stored + p.bytes_loaded), rate(p, p.dram_bytes_read), rate(p, p.dram_bytes_written)
                ].map((cell) => el('td', {class: 'right'}, cell)))))));
}

function overview() {
  const problems = runs.filter((run) => run.summary.problems?.length);
  const table = runs.map(facts);
  return section(
      'run', 'What was run', null,
      el('div', {class: 'scroll'},
         el('table', {class: 'facts'},
            several ? el('thead', {},
                         el('tr', {}, el('td', {}),
                            runs.map((run) => el('th', {scope: 'col'}, legendItem(`var(${run.color})`, run.label))))) :
                      null,
            el('tbody', {},
               table[0].map(
                   ([name], row) =>
                       el('tr', {}, el('th', {scope: 'row'}, name),
                          table.map((column) => el('td', {}, column[row][1]))))))),
      runs.map(phaseTable),
      problems.map(
          (run) =>
              el('div', {class: 'note bad'}, el('strong', {}, `Found in ${run.label}`),
                 el('pre', {}, run.summary.problems.join('\n')))),
      runs.map(
          (run) =>
              el('details', {}, el('summary', {}, several ? `The experiment of ${run.label}` : 'The experiment'),
                 el('pre', {}, run.experiment || 'given on the command line'))));
}
