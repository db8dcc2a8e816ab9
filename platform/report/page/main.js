// SPDX-License-Identifier: Apache-2.0
// Puts the page together.

header();
const curves = series(), latencies = latency();
const sections = [overview(), headline(), several ? comparison() : null, die(), curves.node, latencies.node, stalls(), l2(), roofline(), oneset(), journeys(),
  several ? null : configuration()].filter(Boolean);
document.getElementById('main').append(...sections);
document.getElementById('sections').append(...sections.map((node) => el('a', {href: `#${node.id}`}, node.querySelector('h2').textContent)));
curves.start();
latencies.start();
if (clock.frame) clock.go(Math.floor(clock.run.frames.length / 3));
