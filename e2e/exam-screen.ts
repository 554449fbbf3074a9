import { expect, type Locator, type Page } from '@playwright/test';

/** The question screen as a student uses it: by its Chinese labels and roles. */
export class ExamScreen {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Opens an exam by its address: starts it, or goes on where one was. */
  async open(examId: number): Promise<void> {
    await this.page.goto(`/exam/${examId}`);
    await expect(this.heading()).toBeVisible();
  }

  private heading(number?: number): Locator {
    return this.page.getByRole(
      'heading',
      number === undefined ? { name: /^第 \d+ 题$/ } : { name: `第 ${number} 题`, exact: true },
    );
  }

  /** Waits until this question is on the screen. */
  async isAt(number: number): Promise<void> {
    await expect(this.heading(number)).toBeVisible();
  }

  options(): Locator {
    const box = this.page.getByLabel('选项', { exact: true });
    return box.getByRole('radio').or(box.getByRole('checkbox'));
  }

  option(letter: string): Locator {
    return this.options().nth(letter.charCodeAt(0) - 65);
  }

  /** Clicks these options one after the other. */
  async choose(letters: string): Promise<void> {
    for (const letter of letters) await this.option(letter).click();
  }

  /** The letters that are chosen on the screen. */
  async chosen(): Promise<string> {
    const states = await this.options().evaluateAll((all) => all.map((option) => option.getAttribute('aria-checked')));
    return states.map((state, index) => (state === 'true' ? String.fromCharCode(65 + index) : '')).join('');
  }

  /** What opens below a question whose key may be seen. */
  answer(): Locator {
    return this.page.locator('section', { has: this.page.getByRole('heading', { name: '解析', exact: true }) }).last();
  }

  written(): Locator {
    return this.page.getByRole('textbox', { name: '我的答案' });
  }

  async next(): Promise<void> {
    await this.page.getByRole('button', { name: '下一题' }).click();
  }

  async previous(): Promise<void> {
    await this.page.getByRole('button', { name: '上一题' }).click();
  }

  /** 500 ms auto-advance off or on, by its switch. */
  async autoAdvance(on: boolean): Promise<void> {
    await this.page.getByRole('button', { name: '显示与快捷键' }).click();
    const dialog = this.page.getByRole('dialog', { name: '显示与快捷键' });
    const control = dialog.getByRole('switch', { name: /选择后自动进入下一题/ });
    await control.setChecked(on);
    await this.closeDialog(dialog);
  }

  async closeDialog(dialog: Locator): Promise<void> {
    await dialog.getByRole('button', { name: '关闭' }).click();
    await expect(dialog).toBeHidden();
  }

  /** Whether this window is wide enough for the answer card to stand beside the question. */
  get wide(): boolean {
    return (this.page.viewportSize()?.width ?? 0) >= 1024;
  }

  /** The answer card; on phones its sheet is pulled up first. */
  async card(): Promise<Locator> {
    const card = this.page.getByRole('region', { name: '答题卡' });
    if (!this.wide && !(await card.isVisible())) await this.page.getByRole('button', { name: /^答题卡/ }).click();
    await expect(card).toBeVisible();
    return card;
  }

  /** Goes to a question by its number on the answer card. */
  async jump(number: number): Promise<void> {
    const card = await this.card();
    await card.getByRole('button', { name: new RegExp(`^第 ${number} 题`) }).click();
    await this.isAt(number);
    if (!this.wide) await expect(card).toBeHidden();
  }

  saved(): Locator {
    return this.page.getByText(/^已保存 \d\d:\d\d:\d\d$/);
  }

  /** What the save state says. */
  says(words: string): Locator {
    return this.page.getByRole('status').getByText(words, { exact: true });
  }

  toast(words: string): Locator {
    return this.page.getByRole('status').getByText(words, { exact: true });
  }

  /** The dialog of 交卷. */
  async askToHandIn(): Promise<Locator> {
    await this.page.getByRole('button', { name: '交卷', exact: true }).click();
    const dialog = this.page.getByRole('dialog', { name: '确认交卷' });
    await expect(dialog).toBeVisible();
    return dialog;
  }

  /** Hands in and waits for the result page. @returns the record's id */
  async handIn(): Promise<number> {
    const dialog = await this.askToHandIn();
    await dialog.getByRole('button', { name: '确认交卷' }).click();
    await expect(this.page).toHaveURL(/\/exam\/result\/\d+$/);
    return Number(/\d+$/.exec(this.page.url())?.[0]);
  }

  recordId(): number {
    return Number(new URL(this.page.url()).searchParams.get('record'));
  }
}
