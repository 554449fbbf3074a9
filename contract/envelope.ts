/** Every answer of the server has this shape (decisions §2). `code` is 200 on success, else equals the HTTP status. */
export interface Envelope<D> {
  code: number;
  /** A sentence for the person, in Chinese. */
  msg: string;
  data: D;
}

/**
 * The `data` of a refused call: `why` for the program, `field` where one field is at fault; where that is an entry of a
 * list, `at` is its place there, from 0.
 */
export interface Refusal {
  why: Why;
  field?: string;
  at?: number;
}

/**
 * Every way a call can be refused: the one catalogue of status and sentence. The strings of the product spec §8 stand
 * here to the letter.
 */
export const refusals = {
  // every call
  badInput: { code: 400, msg: '提交的内容不正确，请检查后重试' },
  notSignedIn: { code: 401, msg: '请先登录' },
  notAllowed: { code: 403, msg: '没有权限进行此操作' },
  crossSite: { code: 403, msg: '请求来自其他网站，已拒绝' },
  notByAddress: { code: 403, msg: '这个地址不能直接打开，请回到网站，从页面上的按钮进入' },
  notFound: { code: 404, msg: '没有找到您要的内容' },
  notAsExpected: { code: 412, msg: '文件与您已有的不同，请重新获取' },
  tooLarge: { code: 413, msg: '提交的内容太大' },
  wrongType: { code: 415, msg: '不支持的内容格式' },
  noSuchRange: { code: 416, msg: '请求的范围超出了文件' },
  tooMany: { code: 429, msg: '操作太频繁，请稍后再试' },
  broken: { code: 500, msg: '服务器出错了，请稍后重试' },
  busy: { code: 503, msg: '服务器正忙，请稍后重试' },
  databaseAway: { code: 503, msg: '服务器暂时无法读写数据，请稍后重试' },
  // of a call whose input the browser keeps until it is acknowledged
  cannotSave: { code: 503, msg: '无法保存，答案已保留在本机，服务器恢复后会自动提交' },
  // sign-in
  captchaFailed: { code: 422, msg: '滑块验证没有通过，请重试' },
  captchaAway: { code: 502, msg: '安全验证服务暂时连接不上，请改用滑块验证' },
  ticketNeeded: { code: 403, msg: '请先完成滑块验证' },
  phoneWrong: { code: 422, msg: '请输入正确的手机号' },
  smsTooSoon: { code: 429, msg: '验证码发送太频繁，请稍后再试' },
  smsNotSent: { code: 502, msg: '验证码没有发出，请稍后重试' },
  smsCodeWrong: { code: 422, msg: '验证码不正确或已过期' },
  loginWrong: { code: 422, msg: '手机号或密码不正确' },
  passwordWrong: { code: 422, msg: '密码不正确' },
  passwordWeak: { code: 422, msg: '密码至少 8 位，且不能只有一种字符' },
  phoneTaken: { code: 409, msg: '该手机号已被使用' },
  nicknameWrong: { code: 422, msg: '昵称为 1 到 20 个字' },
  nicknameStaff: { code: 422, msg: '昵称不能让人误认为是老师或工作人员' },
  secondFactNeeded: {
    code: 403,
    msg: '这个手机号很久没有用验证码验证过，可能已换了主人。请再验证一项本人信息',
  },
  secondFactWrong: { code: 422, msg: '验证没有通过，请核对后重试' },
  // the own account
  realNameWrong: { code: 422, msg: '请输入真实姓名，不超过 20 个字' },
  idCardRequired: { code: 422, msg: '请输入身份证号' },
  idCardLength: { code: 422, msg: '身份证号应为 18 位' },
  idCardDigits: { code: 422, msg: '身份证号只能是数字，最后一位可以是 X' },
  idCardRegion: { code: 422, msg: '身份证号的地区不正确' },
  idCardBirth: { code: 422, msg: '身份证号的出生日期不正确' },
  idCardChecksum: { code: 422, msg: '身份证号不正确，请核对每一位' },
  identityTaken: { code: 409, msg: '这个身份证号已用于另一个账号。如果不是您本人操作，请联系学校' },
  identityNotGrown: {
    code: 403,
    msg: '您说过自己未满 14 周岁，这个身份证号的持有人已满 14 周岁。请先由监护人同意，或联系学校更正',
  },
  identitySet: { code: 409, msg: '实名信息已填写，不能再修改。填错了请联系学校' },
  lastTeacher: { code: 409, msg: '您是学校唯一的教师账号，不能注销。请先让学校开通另一个教师账号' },
  accountClosing: { code: 403, msg: '账号正在注销，不能报名或购买。请先撤销注销' },
  // agreements
  agreementChanged: { code: 409, msg: '协议刚刚更新，请重新阅读后再同意' },
  agreementNeeded: { code: 403, msg: '请勾选同意协议' },
  guardianNeeded: { code: 403, msg: '未满 14 周岁，需要监护人同意后才能继续' },
  guardianNotNeeded: { code: 409, msg: '您不需要监护人同意' },
  guardianSelf: { code: 422, msg: '监护人的手机号不能与本账号相同' },
  // courses and exams
  notEnrolled: { code: 403, msg: '请先报名该课程' },
  enrolClosed: { code: 403, msg: '该课程暂不开放自主报名，请联系学校' },
  noQuestions: { code: 422, msg: '暂无考试题目' },
  bankTooSmall: { code: 422, msg: '所选章节里没有这么多题，请减少题数或多选几章' },
  printAfterStart: { code: 403, msg: '开始这份试卷后才能打印' },
  noAttemptsLeft: { code: 403, msg: '这份试卷的考试次数已经用完' },
  retakeTooSoon: { code: 403, msg: '离上次交卷的时间还不够长，请稍后再开始' },
  takenOver: { code: 409, msg: '您已在另一个窗口继续作答，本窗口不再保存' },
  alreadySubmitted: { code: 409, msg: '试卷已提交，不能再修改答案' },
  tooLate: { code: 422, msg: '考试时间已到，这次修改没有计入' },
  notSubmitted: { code: 422, msg: '交卷后才能查看' },
  answerMalformed: { code: 422, msg: '答案的格式与题型不符' },
  questionGone: { code: 422, msg: '这道题不在试卷中，可能已被学校移除' },
  paperChanged: { code: 409, msg: '这次作答属于另一版试卷，没有保存，请刷新页面后核对' },
  seqTaken: { code: 409, msg: '这道题在别处有另一个答案，这次的没有保存，请核对后重新作答' },
  answerShown: { code: 409, msg: '已查看答案，不能再修改这道题' },
  keyHidden: { code: 403, msg: '这道题所在的试卷交卷后，才能查看答案' },
  noRecite: { code: 403, msg: '考试中不能使用背题模式' },
  scoreOutOfRange: { code: 422, msg: '得分须在 0 到本题满分之间' },
  notSelfScored: { code: 422, msg: '这道题不需要自己评分' },
  noSuchPoint: { code: 422, msg: '采点与这道题的不符，请刷新页面后重新勾选' },
  moreTime: { code: 409, msg: '考试时间已延长，还没有交卷，请继续作答' },
  nobodySits: { code: 422, msg: '现在没有人在考这份试卷' },
  allHandedIn: { code: 422, msg: '所选的试卷都已交卷，没有补时。误收的试卷由管理员用 exam reopen 命令重新打开' },
  noTimeLimit: { code: 422, msg: '不限时的练习没有结束时间，不需要补时' },
  tooMuchTime: { code: 422, msg: '一份试卷累计最多补时两天，没有补时' },
  givenOtherwise: { code: 409, msg: '上次提交的补时已经生效，请在补时记录里核对；还要再补，请重新填写' },
  noSuchStudent: { code: 422, msg: '没有找到使用这个手机号的学员' },
  studentNotEnrolled: { code: 422, msg: '这名学员没有报名这门课程' },
  // course play
  lessonLocked: { code: 403, msg: '该视频未解锁，无法播放' },
  beyondEnd: { code: 422, msg: '播放位置超出了本节的长度，没有记录' },
  notesFull: { code: 422, msg: '本课程包的笔记已满，请先删除一些' },
  commentEmpty: { code: 422, msg: '请输入内容' },
  reportEmpty: { code: 422, msg: '请输入问题描述' },
  // files of courses; ours is the fault: what is on offer is not in the store
  fileLost: { code: 500, msg: '文件暂时无法下载，请联系老师' },
  // pictures
  imageFormat: { code: 422, msg: '图片格式不正确' },
  avatarTooLarge: { code: 413, msg: '上传头像图片大小不能超过 1MB!' },
  imageTooLarge: { code: 413, msg: '上传图片大小不能超过 1MB!' },
  qaImageTooLarge: { code: 413, msg: '文件太大，请选择小于15MB的图片' },
  imageTooManyPixels: { code: 422, msg: '图片的尺寸太大，请缩小到 2500 万像素以内再上传' },
  imageBroken: { code: 422, msg: '图片已损坏，无法读取，请换一张' },
  imagesFull: { code: 422, msg: '您上传的图片已达到总量上限，请联系学校' },
  imageNotYours: { code: 403, msg: '图片已失效，请移除后重新上传' },
  // questions and answers
  textTooLong: { code: 422, msg: '内容太长，请缩短后再提交' },
  followUpsFull: { code: 422, msg: '老师回答之前最多追问 10 次，请等老师回答后再追问' },
  // notices
  announceNoName: { code: 422, msg: '请输入通知标题' },
  announceNoContent: { code: 422, msg: '请输入通知内容' },
  announceTimes: { code: 422, msg: '结束时间要晚于现在和开始时间，最长一年' },
  // live lessons
  liveNoTitle: { code: 422, msg: '请输入直播标题' },
  liveTimes: { code: 422, msg: '结束时间要晚于开始时间，一次直播最长 12 小时，最多提前一年安排' },
  liveOver: { code: 422, msg: '这个时间已经过去了，请选择之后的时间' },
  liveAddress: { code: 422, msg: '请输入以 https:// 开头的完整地址' },
  liveStarted: { code: 422, msg: '直播已经开始，开始时间不能再改；结束时间可以改' },
  liveEnded: { code: 422, msg: '直播已经结束，时间不能再改' },
  liveBegun: { code: 422, msg: '直播已经开始，不用再预约' },
  liveNotHere: { code: 422, msg: '这场直播在其他平台进行' },
  liveNotOpen: { code: 422, msg: '直播还没有开始' },
  liveNoHls: { code: 422, msg: '这个浏览器不能播放直播，请换用新版的 Chrome、Edge 或 Safari' },
  liveCancelled: { code: 409, msg: '这场直播已经取消，请重新安排' },
  liveNotNow: { code: 422, msg: '直播没有在进行，现在不能这样做' },
  liveMuted: { code: 403, msg: '老师已将您禁言，暂时不能发言' },
  liveMutedAll: { code: 403, msg: '老师已开启全员禁言，暂时不能发言' },
  liveTooFast: { code: 429, msg: '发言太快，请稍等几秒再发' },
  pollEmpty: { code: 422, msg: '请填写问题和 2 到 6 个不同的选项' },
  pollOpenAlready: { code: 409, msg: '还有一个投票没有结束，请先结束它' },
  pollOver: { code: 409, msg: '投票已经结束' },
  pollVoted: { code: 409, msg: '您已经投过票，不能再改' },
  commentUnseen: { code: 409, msg: '这条评论现在别人看不到，不能回复' },
  phrasesFull: { code: 422, msg: '常用语已满，请先删除一些' },
  // feedback
  reasonNeeded: { code: 422, msg: '不采纳时请写明原因，学员会看到' },
  answeredMeanwhile: { code: 409, msg: '刚刚有了新的内容或处理结果，没有保存，请核对后再提交' },
  alreadyDecided: { code: 422, msg: '已有处理结果的反馈不能改回“收到”' },
  // corrections of questions
  nothingToCorrect: { code: 422, msg: '没有要更正的内容' },
  correctedMeanwhile: { code: 409, msg: '这道题刚刚被更正过，没有保存，请核对现在的内容后再更正' },
  questionRetired: { code: 409, msg: '这道题已经停用了' },
  questionNotRetired: { code: 409, msg: '这道题没有停用，不用恢复' },
  onlyQuestion: { code: 422, msg: '有的试卷只有这一道题，停用后就没有题了，请先从课程里去掉那份试卷' },
  richTextFaulty: { code: 422, msg: '解析或参考答案里有不能显示的内容，请检查公式和标签' },
  // studying
  notOfPack: { code: 422, msg: '选中的题目不全是这门课程的，请重新选择' },
  madeBeforeExam: { code: 409, msg: '这份练习是考试开始前组的，交卷后才能开始。现在练习请重新组一份' },
  filterOfWrong: { code: 422, msg: '这个条件只能用来筛选错题，请去掉后再试' },
  examDatePast: { code: 422, msg: '考试日期已经过去，请选择今天或以后的日期' },
  noStudyDay: { code: 422, msg: '一周里至少要有一天用来学习' },
  leftOutFull: { code: 422, msg: '不排进计划的内容已经太多，请先恢复一些' },
  // orders
  mustBuy: { code: 403, msg: '这个课程包需要购买，请下单后学习' },
  notOnSale: { code: 403, msg: '这个课程包现在不能购买' },
  soldOut: { code: 409, msg: '名额已满，暂时不能购买' },
  alreadyJoined: { code: 409, msg: '您已报名这个课程包，不需要再购买' },
  orderPaid: { code: 409, msg: '订单已支付，不需要再操作' },
  orderOver: { code: 409, msg: '订单已关闭或已过期，请重新下单' },
  payingAlready: { code: 409, msg: '订单已开始支付，请先取消订单再重新下单' },
  nothingToPay: { code: 422, msg: '订单金额为 0，不需要支付' },
  notFree: { code: 422, msg: '订单金额不为 0，请选择支付方式' },
  noSuchChannel: { code: 422, msg: '学校没有开通这种支付方式' },
  payAway: { code: 502, msg: '暂时联系不上支付机构，没有扣款，请稍后重试' },
  payUnsure: { code: 502, msg: '暂时联系不上支付机构，还不知道订单是否已付款，请稍后重试' },
  couponGone: { code: 409, msg: '这张优惠券不能使用，可能已用于其他订单' },
  couponEarly: { code: 422, msg: '优惠券还没有到使用时间' },
  couponOver: { code: 422, msg: '优惠券已过期' },
  couponElsewhere: { code: 422, msg: '优惠券不适用于这个课程包' },
  couponBelow: { code: 422, msg: '没有达到优惠券的使用金额' },
  noSuchCode: { code: 422, msg: '兑换码不正确' },
  couponTaken: { code: 409, msg: '您已经领过这种优惠券' },
  couponsOut: { code: 409, msg: '优惠券已被领完' },
  nothingToRefund: { code: 409, msg: '这个订单没有可以退的款项' },
  reasonWrong: { code: 422, msg: '请写明原因，最多 80 个字' },
  noInvoice: { code: 409, msg: '这个订单现在不能申请发票' },
  titleWrong: { code: 422, msg: '请填写抬头，最多 100 个字' },
  taxNoWrong: { code: 422, msg: '税号不正确，请核对 18 位统一社会信用代码' },
  emailWrong: { code: 422, msg: '请输入正确的邮箱' },
  // orders, for the school
  noOrderRight: { code: 403, msg: '您的账号没有开通订单管理，请联系学校的系统管理员' },
  notPaid: { code: 409, msg: '订单没有收款，或已经全部退款' },
  tooMuchBack: { code: 422, msg: '金额超过了还能退的' },
  tooManyRefunds: { code: 409, msg: '一笔支付最多分 50 次退款' },
  nothingFailed: { code: 409, msg: '这个订单没有失败的退款' },
  invoiceChanged: { code: 409, msg: '学员刚刚修改了发票信息，请核对后再开具' },
  answeredAlready: { code: 409, msg: '这个申请已经处理过，或已被学员撤回' },
  invoiceNumberWrong: { code: 422, msg: '发票号码为 8 到 20 位数字' },
  couponNameWrong: { code: 422, msg: '请填写名称，最多 40 个字' },
  couponOffWrong: { code: 422, msg: '优惠须大于 0，按比例时为 1 到 100' },
  couponDaysWrong: { code: 422, msg: '日期不正确：最后一天不能早于第一天' },
  couponCodeWrong: { code: 422, msg: '兑换码为 4 到 40 个字母或数字' },
  codeThere: { code: 409, msg: '这个代号或兑换码已经有了' },
  dayWrong: { code: 422, msg: '日期不正确，只能核对今天以前的日子' },
  // media
  mediaNotReady: { code: 409, msg: '视频还在处理中，请稍后再来' },
  playEnded: { code: 403, msg: '播放授权已失效，请重新进入本节课程' },
  mediaInUse: { code: 409, msg: '有课时正在使用它，请先从课时中移除' },
  mediaFailed: { code: 422, msg: '这个文件转换失败，不能用于课时，请先重新转换' },
  notMedia: {
    code: 422,
    msg: '不是可以识别的视频或音频文件。请上传 MP4、MOV、MKV、WebM、AVI、FLV、WMV、MP3、M4A、WAV 等文件',
  },
  // uploads that can be resumed; their codes are those of tus 1.0
  uploadEmpty: { code: 422, msg: '文件是空的，请选择其他文件' },
  uploadTooLarge: { code: 413, msg: '文件太大，单个文件最大 20 GB' },
  uploadsFull: { code: 422, msg: '您没有传完的文件太多，请先传完或取消一些' },
  uploadGone: { code: 410, msg: '这次上传已取消或已过期，请重新上传' },
  uploadMoved: { code: 409, msg: '上传的位置与服务器收到的不一致，将从服务器收到的位置继续' },
  uploadHeld: { code: 423, msg: '这个文件正在另一个窗口上传，或正在检查，请稍候' },
  uploadDamaged: { code: 460, msg: '这一段在传输中损坏了，将重新发送' },
  uploadProtocol: { code: 412, msg: '不支持这个版本的上传协议' },
  diskFull: { code: 507, msg: '服务器磁盘空间不足，暂时不能上传，请联系管理员清理后继续' },
  // universities
  compareFull: { code: 422, msg: '最多同时对比三所院校' },
} as const satisfies Record<string, { code: number; msg: string }>;

export type Why = keyof typeof refusals;
