// SPDX-License-Identifier: Apache-2.0
// What all who look at a page from inside have in common: what every page is held to, and the verdict, left as text.
const lookAt = (look) => addEventListener('load', () => {
  'use strict';
  const failures = [];
  let checks = 0;
  const check = (what, ok, detail = '') => {
    ++checks;
    if (!ok) failures.push(`${what} ${detail}`);
  };
  const all = (selector) => [...document.querySelectorAll(selector)],
        one = (selector) => document.querySelector(selector);
  const finish = () => {
    const verdict = document.createElement('pre');
    verdict.textContent = `\n\nVERDICT ${failures.length ? 'failed' : 'passed'}: ${window.expected}, ${
        checks} checks. ${failures.slice(0, 8).join(' | ')} VERDICT END`;
    document.body.append(verdict);
  };
  check('no errors', window.pageErrors.length === 0, window.pageErrors.join('; '));
  const asked = performance.getEntriesByType('resource').filter((entry) => !entry.name.startsWith('data:'));
  check('nothing is asked of anybody', asked.length === 0, asked.map((entry) => entry.name).join(' '));
  look({check, all, one, finish});
});
