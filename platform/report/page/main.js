// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

header();
const curves = series(), latencies = latency();
const sections = [
  overview(), headline(), several ? comparison() : null, die(), curves.node, latencies.node, stalls(), l2(), roofline(),
  oneset(), journeys(), several ? null : configuration()
].filter(Boolean);
document.getElementById('main').append(...sections);
const short = {
  run: 'Run',
  headline: 'Figures',
  compare: 'Differences',
  die: 'Die',
  series: 'Over time',
  latency: 'Latencies',
  stalls: 'Stalls',
  l2: 'L2',
  roofline: 'Links',
  set: 'One set',
  journey: 'One access',
  configuration: 'Configuration'
};
document.getElementById('sections').append(...sections.map((node) => el('a', {href: `#${node.id}`}, short[node.id])));
curves.start();
latencies.start();
if (clock.frame) clock.go(mostVaried(clock.run));
