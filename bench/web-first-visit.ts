import { report } from './measure.ts';
import { withWebExam } from './web-exam.ts';

/**
 * JavaScript and CSS that a first visit to the exam screen transfers, as they come over the wire, until the network is
 * quiet: the question, and the dialogs that are fetched while it is read. Papers with formulas fetch KaTeX besides, which
 * is said apart, since it comes after the question can be read.
 */
function visit(topic: string): Promise<{ bytes: number; files: number; packed: boolean }> {
  return withWebExam({ questions: 100, width: 1440, height: 900, topic }, async ({ page, address }) => {
    const sizes: Promise<{ bytes: number; encoding: string }>[] = [];
    page.on('requestfinished', (request) => {
      if (!/\.(js|css)$/.test(new URL(request.url()).pathname)) return;
      sizes.push(
        Promise.all([request.sizes(), request.response()]).then(([{ responseBodySize }, response]) => ({
          bytes: responseBodySize,
          encoding: response?.headers()['content-encoding'] ?? '',
        })),
      );
    });
    await page.goto(address);
    await page.getByRole('heading', { name: '第 1 题', exact: true }).waitFor();
    // A dialog is opened, so that what the dialogs need is among the files.
    await page.getByRole('button', { name: '交卷', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await page.waitForLoadState('networkidle');
    const all = await Promise.all(sizes);
    return {
      bytes: all.reduce((sum, one) => sum + one.bytes, 0),
      files: all.length,
      packed: all.every((one) => one.encoding === 'br'),
    };
  });
}

const plain = await visit('<p>下列各项中，说法正确的是（　）。</p>');
const formulas = await visit("<p>设 \\(f(x)=x^2\\)，则 \\(f'(1)=\\)（　）。</p>");
report({
  name: 'exam_first_visit',
  value: plain.bytes / 1024,
  unit: 'KB',
  detail: `${plain.files} files, ${plain.packed ? 'all brotli' : 'NOT all brotli'}; with formulas ${(formulas.bytes / 1024).toFixed(1)} KB`,
});
if (!plain.packed) process.exitCode = 1;
