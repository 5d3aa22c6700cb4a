import { expect, test } from 'vitest';
import { html } from '../../../src/pages/html.js';

test('what is put in is escaped, in text and in attributes', () => {
  const evil = `<script>alert("1")</script> & 'x'`;
  expect(html`<p title="${evil}">${evil}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;">' +
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;</p>',
  );
});

test('HTML stays as it is, lists are joined, and what is missing leaves nothing', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}</li>`);
  expect(html`<ul>${items}</ul>${undefined}${null}${false}${0}`.text).toBe(
    '<ul><li>a</li><li>&lt;b&gt;</li></ul>0',
  );
});
