// SPDX-License-Identifier: Apache-2.0
// Looks at the report of the sweep in sweep.json, whose pictures are known beforehand, from inside its page.
lookAt((page) => {
  'use strict';
  const {check, all, one, finish} = page;
  const choose = (section, label, text) => {
    const list =
        all(`${section} .picker`).find((node) => node.firstChild.textContent === label).querySelector('select');
    list.selectedIndex = [...list.options].findIndex((option) => option.textContent === text);
    list.dispatchEvent(new Event('change', {bubbles: true}));
  };
  const texts = (selector) => all(selector).map((node) => node.textContent);

  check('texts stay texts', one('h1').textContent === 'by hand <i>' && all('main b, main i').length === 0);
  check(
      'what failed is told',
      one('#swept-0 .note.bad').textContent.includes('point 13: l2.janitor.dirty_threshold 16 lines'));

  // Pictures are drawn once their places have a width, after the first layout.
  setTimeout(() => {
    check('a chart for each figure', all('#curves-0 figure').length === 3);
    check('a curve for each number of ways', all('#curves-0 [data-statistic=load_latency] .curve').length === 2);
    check('a mark for each value', all('#curves-0 [data-statistic=load_latency] .dot-mark').length === 6);
    check(
        'axes have units',
        texts('#curves-0 [data-statistic=load_latency] .axis-name').join() === 'l2.janitor.dirty_threshold [lines],ns',
        texts('#curves-0 [data-statistic=load_latency] .axis-name').join());
    check(
        'a mark says its figures',
        texts('#curves-0 [data-statistic=load_latency] .dot-mark title')[0] ===
            'l2.janitor.dirty_threshold 2 lines, l2.ways 8: load_latency 450 ns, mean of 2 points, 440 to 460',
        texts('#curves-0 [data-statistic=load_latency] .dot-mark title')[0]);
    choose('#curves-0', 'a curve for each', 'l2.replacement');
    choose('#curves-0', 'l2.ways [ways]', '16');
    check(
        'the curves follow the choice', texts('#curves-0 .curves-legend .key').join() === 'rrip,lru',
        texts('#curves-0 .curves-legend').join());
    check(
        'a parameter is held',
        texts('#curves-0 [data-statistic=load_latency] .dot-mark title')[0] ===
            'l2.janitor.dirty_threshold 2 lines, l2.replacement rrip: load_latency 420 ns',
        texts('#curves-0 [data-statistic=load_latency] .dot-mark title')[0]);

    check(
        'cells of the heat map', texts('#heat-0 .cell > text').join() === '120,140,180,120,140,180',
        texts('#heat-0 .cell > text').join());
    choose('#heat-0', 'figure', 'load_latency [ns]');
    choose('#heat-0', 'across', 'l2.replacement');
    check(
        'the heat map follows the choice', texts('#heat-0 .cell > text').length === 4,
        texts('#heat-0 .cell > text').join());

    const front = () => texts('#pareto-0 .front tbody th').join();
    check(
        'the front',
        front() === '3,7,11' && all('#pareto-0 .on-front').length === 3 && all('#pareto-0 .beaten').length === 9,
        front());
    choose('#pareto-0', 'better', 'lower');
    check('the front follows the direction', front() === '3', front());

    const shares = (name) =>
        all(`[data-importance=${name}] [data-share]`).map((cell) => Number(cell.dataset.share).toFixed(4)).join();
    check(
        'one parameter explains all', shares('store_bandwidth') === '1.0000,0.0000,0.0000', shares('store_bandwidth'));
    check('three explain it together', shares('load_latency') === '0.7568,0.1216,0.1216', shares('load_latency'));
    check(
        'what does not vary is told',
        one('[data-importance=write_backs]').textContent.includes('the same at every point'));
    check('a share says what it is', one('[data-share]').title.includes('variance'));

    check('all points', all('.points tbody tr').length === window.sweep.points.length);
    window.sweep.points.forEach((point) => {
      const shown = texts(`[data-point="${point.point}"] td`).slice(1),
            raw = all(`[data-point="${point.point}"] td`).slice(1);
      const right = [
        ...window.sweep.parameters.map((p) => point.parameters[p.path]),
        ...window.sweep.statistics.map((s) => point.statistics[s.name])
      ];
      check(
          'a row is the sweep\'s',
          shown.length === right.length &&
              right.every(
                  (value, i) =>
                      (value === undefined ? shown[i] === '-' : raw[i].dataset.raw === JSON.stringify(value))),
          point.point);
    });
    check(
        'no figure is broken', !/NaN|undefined|\[object/.test(one('main').textContent),
        /.{30}(NaN|undefined|\[object).{20}/.exec(one('main').textContent)?.[0]);
    finish();
  }, 1000);
});
