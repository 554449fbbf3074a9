import { shot, get, ctx, browser, base } from './shots.mjs';
const l=(await get(ctx,'/api/user/exam_list?kind=random&packId=1&pageSize=5')).list.find(x=>x.submittedAt);
const p=await shot(`/paper/print?exam=${l.examId}&record=${l.recordId}`,'x'); await p.waitForTimeout(2000);
console.log(await p.evaluate(()=>document.querySelector('.katex-display').outerHTML.replace(/<math.*?<.math>/s,'').slice(0,900)));await browser.close();process.exit();
await browser.close();
