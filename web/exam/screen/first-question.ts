import rich from '#ui/RichText.module.css';
import options from '../question/Options.module.css';
import question from '../question/Question.module.css';

const classes = {
  ...{ card: question.card, section: question.section, head: question.head, number: question.number },
  ...{ chip: question.chip, points: question.points, rich: rich.text, topic: question.topic },
  ...{ options: options.options, option: options.option, badge: options.badge, text: options.text },
};

/**
 * Draws the first question of a paper over the bones of the exam's page once it has come, before the code that lets it be answered: on a
 * slow phone that is most of half a second later. It is seen as the screen will show it, at the same place, and goes in the moment in which
 * the bones go, whatever takes their place. An option that was pressed meanwhile is pressed on the screen then.
 *
 * Only what cannot look otherwise later is drawn: the record is new and has nothing to say above the question, one letter answers the
 * question, it has no material, its texts are words and a few tags without attributes, which need no cleaning. Not in a window that is so
 * short that the page scrolls with its bars. Who listens to the page hears of the question from the screen.
 *
 * A function of the paper (`/api/exam/details`) and what is stored of the record (`/api/exam/cache`), as text: it is part of a script that
 * the policy of a page names by its hash (web/exam/session/ask-ahead.ts). `data-first-question` is on what it draws.
 */
export const FIRST_QUESTION = `function(paper,stored){
var c=${JSON.stringify(classes)},d=document,root=d.getElementById("root"),q=paper.questions[0],letters=Object.keys(q.options).sort(),pressed="",
plain=/^(?:[^<&\\\\$]|<\\/?(?:p|br|strong|em|u|sub|sup)>|&(?:nbsp|lt|gt|amp|quot);)*$/,
texts=[q.topic].concat(letters.map(function(l){return q.options[l]}));
function bones(){return root.querySelector("[role=progressbar][aria-busy]")}
function remembered(name){try{return localStorage.getItem("lixue."+name)||""}catch(e){return ""}}
if(!bones()||letters.length<2||q.questionTypesId>2||q.parentCaseStudyId!==null||q.score===0||(paper.similar||[]).length
||stored.submittedAt!==null||stored.answers.length||stored.place||stored.extraTime||stored.accommodation||!stored.ownsWindow
||stored.remaining!==null&&stored.remaining<=0||remembered("exam.places").indexOf('"recordId":'+stored.recordId+",")>=0
||!texts.every(function(t){return plain.test(t)})||matchMedia("(max-width: 64em) and (max-height: 30em)").matches
||![].every.call(d.querySelectorAll("body link[rel=stylesheet]"),function(l){return l.sheet}))return;
var size=remembered("question-size");if(size==="2"||size==="3")d.documentElement.dataset.questionSize=size;
function add(to,tag,of){var e=d.createElement(tag);e.className=of;return to.appendChild(e)}
function says(e,html){var t=html.replace(/<[^>]*>|&\\w+;/g," ");e.innerHTML=html;
if(/[\\u3400-\\u9fff]/.test(t))e.lang="zh-CN";else if(/[a-z]{2}/i.test(t))e.lang="en";return e}
var over=bones().cloneNode(true),body=over.children[1],place=body.firstElementChild;
["role","aria-label","aria-busy"].forEach(function(a){over.removeAttribute(a)});
over.setAttribute("aria-hidden","true");over.dataset.firstQuestion="";
over.style.cssText="position:fixed;inset:0;z-index:1;background:var(--paper)";
body.style.gridTemplateRows="minmax(0,1fr)";place.style.overflowY="auto";place.textContent="";
var card=add(place,"article",c.card);
if(paper.sections.length>1)paper.sections.forEach(function(s){
if(s.title&&s.questionIds.indexOf(q.questionId)>=0)add(card,"p",c.section).textContent=s.title});
var head=add(card,"div",c.head);add(head,"span",c.number).textContent="1";
[c.chip,c.points].forEach(function(k){var e=add(head,"span",k);e.textContent="\\u00a0";e.style.minWidth="4em"});
var topic=says(add(card,"div",c.rich+" "+c.topic),q.topic),list=add(card,"div",c.options);
var rows=letters.map(function(l){var row=add(list,"div",c.option);add(row,"span",c.badge).textContent=l;
says(add(row,"div",c.rich+" "+c.text),q.options[l]);
row.onclick=function(){pressed=l;rows.forEach(function(r,at){if(letters[at]===l)r.dataset.chosen="true";else delete r.dataset.chosen})};return row});
d.body.appendChild(over);
function end(){if(!over.isConnected)return;var down=place.scrollTop;watch.disconnect();over.remove();
var shown=root.getElementsByClassName(c.topic)[0],top=root.querySelector("[data-top]");
if(!shown||shown.textContent!==topic.textContent)return;
if(top)top.scrollTop=down;
var at=letters.indexOf(pressed),option=root.querySelectorAll("[role=radio]")[at];
if(option&&option.textContent===rows[at].textContent&&option.getAttribute("aria-checked")!=="true")option.click()}
var watch=new MutationObserver(function(){if(!bones())end()});watch.observe(root,{childList:true,subtree:true});
d.addEventListener("error",function(v){if(v.target.tagName==="SCRIPT")end()},true)}`;
