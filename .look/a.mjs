import { shot, packId, packs, get, post, ctx, browser, out, base } from './shots.mjs';
await shot(`/examCenter/random?packId=${packId}`,'random');
await shot(`/examCenter/random?packId=${packId}`,'random-full',{full:true, act: async p=>{ await p.getByRole('button',{name:/^展开/}).first().click(); await p.getByLabel('单选题的题数').fill('999'); await p.waitForTimeout(300);} });
await shot(`/examCenter/random?packId=${packId}`,'random-phone',{w:390,h:844});
await shot(`/examCenter/random?packId=${packId}`,'random-phone-dark',{w:390,h:844,dark:true, act: async p=>{ await p.getByLabel('单选题的题数').fill('999'); await p.getByLabel('单选题的题数').scrollIntoViewIfNeeded(); await p.waitForTimeout(300);} });
await shot(`/startExam/chaptExam?packId=${packId}&questionTypesId=0`,'tree',{act: async p=>{ await p.getByRole('button',{name:/更多练习/}).first().click(); await p.waitForTimeout(300);} });
await shot(`/startExam/chaptExam?packId=${packId}&questionTypesId=0`,'tree-phone',{w:390,h:844});
await browser.close();
