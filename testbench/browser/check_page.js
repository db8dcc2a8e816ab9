// SPDX-License-Identifier: Apache-2.0
// Looks at a report from inside its page and leaves what it finds as text.
lookAt((page) => {
  'use strict';
  const {check, all, one, finish} = page;
  const summaries = window.summaries, several = summaries.length > 1;

  check('texts stay texts', window.broken === undefined && all('main b, main img').length === 0);
  check(
      'the title is the experiment',
      one('h1').textContent === [...new Set(summaries.map((s) => s.experiment))].join(' and '), one('h1').textContent);

  // Every figure that names a path of summary.json is the one there, to the last digit.
  const valueAt = (node, path) => path.split('/').slice(1).reduce((at, key) => at?.[key], node);
  const figures = all('[data-path]');
  check('there are figures', figures.length > 6, figures.length);
  figures.forEach((f) => {
    const right = JSON.stringify(valueAt(summaries[f.dataset.run], f.dataset.path));
    check('a figure is summary.json\'s', f.dataset.raw === right, `${f.dataset.path}: ${f.dataset.raw}, not ${right}`);
  });
  check(
      'headline cards',
      all('.card').length >= 4 &&
          all('.card').every(
              (card) => card.tabIndex === 0 && card.querySelector('[role=tooltip]').textContent.length > 10));
  all('[data-seed]').forEach((seed, run) => check('the seed', seed.dataset.seed === String(summaries[run].seed)));

  // The die follows the slider.
  const slider = one('#slider'),
        picture = () => ['#sms', '#crossbar', '.sets']
                            .map((selector) => all(selector).map((canvas) => canvas.toDataURL()).join())
                            .join();
  const move = (to) => {
    slider.value = to;
    slider.dispatchEvent(new Event('input', {bubbles: true}));
    return {
      picture: picture(),
      sets: all('.sets').map((canvas) => canvas.toDataURL()).join(),
      text: one('#moment').textContent,
      words: one('#die-words').textContent
    };
  };
  if (window.expected === 'launch') {
    const opened = Number(one('#moment').dataset.ns);
    const {first_block: from, last_block: to} = summaries[0].timeline_ns;
    check('a launch opens within its kernel', from <= opened && opened <= to, `${from} ${opened} ${to}`);
    check(
        'the link to the host',
        all('#roofline tbody tr').filter((row) => row.textContent.startsWith('PCIe link')).length === 2);
  }
  const places = Number(slider.max), first = move(0), middle = move(Math.floor(places / 2)), last = move(places),
        again = move(0);
  check('frames', places >= 8, places);
  check('the slider moves the die', first.picture !== middle.picture && middle.picture !== last.picture);
  check('the slider moves the moment', new Set([first.text, middle.text, last.text]).size === 3);
  check('the same place is the same picture', first.picture === again.picture && first.words === again.words);
  if (window.expected === 'one') {
    const moments = Array.from({length: 9}, (_, i) => move(Math.floor(places * i / 8)).sets);
    check('pixels of sets change', new Set(moments).size >= 3, new Set(moments).size);
    const canvas = one('.sets'), colours = new Set(), data = canvas.getContext('2d').getImageData(0, 0, 32, 32).data;
    move(Math.floor(places / 3));
    one('.sets')
        .getContext('2d')
        .getImageData(0, 0, 32, 32)
        .data.forEach((_, i, d) => i % 4 === 0 && colours.add(`${d[i]} ${d[i + 1]} ${d[i + 2]}`));
    check('sets have several colours', colours.size > 1 && data.length === 4096, [...colours].join('; '));
  }
  check('the slider says its moment', slider.getAttribute('aria-valuetext') === one('#moment').textContent);
  document.querySelector('.play').click();
  check('play turns into stop', document.querySelector('.play').title === 'Stop');
  document.querySelector('.play').click();

  // Plots are drawn, with their units.
  check('plots', all('.plot canvas').length >= 6);
  check(
      'axes have units',
      all('.dygraph-ylabel').length === all('.plot').length &&
          all('.dygraph-xlabel').every((label) => /us|ns/.test(label.textContent)));
  ['run', 'headline', 'die', 'series', 'latency', 'stalls', 'l2', 'roofline', 'set', 'journey'].forEach(
      (id) => check('a section', one(`section#${id} h2`), id));
  check('boxes of latencies', all('.boxes rect').length > 0);
  check('links', all('#roofline tbody tr').length >= 4 * summaries.length, all('#roofline tbody tr').length);
  check(
      'no figure is broken', !/NaN|undefined|\[object/.test(one('main').innerText),
      /.{30}(NaN|undefined|\[object).{20}/.exec(one('main').innerText)?.[0]);

  if (several) {
    check('a table of differences', all('#differences tbody tr').length > 3);
    check('the configurations differ', one('[data-parameter="l2.janitor.dirty_threshold"]'));
    const legends = all('.chart .plot-legend').map((legend) => legend.textContent);
    check(
        'curves of both', legends.length > 4 && legends.every((text) => text.includes('one') && text.includes('two')),
        legends[0]);
    const choices = all('#die .choice input');
    check('the die shows either', choices.length === 2);
    const before = picture();
    choices[1].click();
    move(Math.floor(places / 2));
    check('another run is another die', picture() !== before);
  }
  if (window.expected === 'journey')
    check(
        'stations of the store',
        all('#journey .stations tbody tr').length >= 20 && all('#journey circle').length >= 20);
  if (window.expected === 'set' || window.expected === 'one') {
    const step = one('.oneset input'), ways = () => one('.ways').textContent, before = ways();
    step.value = step.max;
    step.dispatchEvent(new Event('input', {bubbles: true}));
    check('the set steps', Number(step.max) > 5 && ways() !== before && all('.oneset .way').length === 16);
  }
  finish();
});
